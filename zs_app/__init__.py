"""The browser's floor: one module per tab, the theme, the words. Nothing below knows it.

A tab is three things: pure handlers (plain values in, plain values out), cards and charts as HTML, and a layout.
"""
