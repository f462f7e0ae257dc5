"""rulelang.compiler"""
