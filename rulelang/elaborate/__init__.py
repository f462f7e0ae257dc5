"""rulelang.elaborate"""
