"""The eyes and hands of the rig: what a sighted person sees on a page, and trusted input into it.

`adapter` is what the rig knows of a product, `reader` and the scripts beside it turn a page into a Screen, `surface`
drives one page. Nothing here decides anything, and nothing here reads network data.
"""
