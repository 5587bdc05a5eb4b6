"""Figures as SVG, in texts and in addresses."""

import base64
import io

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


def svg_of(picture: Figure, **metadata: str) -> str:
    """SVG of a figure, which is closed; the same figure gives the same text."""
    written = io.BytesIO()
    cropped = {"bbox_inches": "tight", "pad_inches": 0.04}
    picture.savefig(written, format="svg", metadata={"Date": None, **metadata}, **cropped)
    plt.close(picture)
    return written.getvalue().decode()


def data_url(svg: str) -> str:
    """An SVG as an address that a page can load without a file."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
