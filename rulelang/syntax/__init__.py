"""rulelang.syntax"""
