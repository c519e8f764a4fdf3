"""change"""
