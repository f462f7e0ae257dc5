"""rulelang.analysis"""
