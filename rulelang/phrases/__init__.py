"""rulelang.phrases"""
