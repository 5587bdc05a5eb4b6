"""Figures for dark pages: the same drawing in other colours."""

import colorsys
import re

__all__ = ["at_night", "night_colour"]

GROUND = 0x12 / 255  # the theme's dark background, in each channel
TEXT = 0.84  # what black becomes, in each channel
READABLE = 4.5  # contrast with the ground, as level AA of WCAG asks of text
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
ROOT = re.compile(r"<svg\b")


def at_night(svg: str) -> str:
    """Recolour a figure for a dark page."""
    recoloured = COLOUR.sub(lambda found: night_colour(found[0]), svg)
    # Matplotlib does not write the colour of what is filled with black.
    return ROOT.sub(f'<svg fill="{night_colour("#000000")}"', recoloured, count=1)


def night_colour(colour: str) -> str:
    """Colour of a dark page for a colour of a light one."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    hue, lightness, saturation = colorsys.rgb_to_hls(*channels)
    if max(channels) - min(channels) < 0.08:
        return _written([TEXT + (GROUND - TEXT) * lightness] * 3)
    while _contrast(channels) < READABLE:
        lightness += 0.01
        channels = colorsys.hls_to_rgb(hue, lightness, saturation)
    return _written(channels)


def _contrast(channels):
    """Contrast with the ground."""
    return (_luminance(channels) + 0.05) / (_luminance([GROUND] * 3) + 0.05)


def _luminance(channels):
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _written(channels):
    return "#" + "".join(f"{round(255 * part):02x}" for part in channels)
