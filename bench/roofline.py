"""The picture: for each case, bytes per second reached against what the machine
can move, as SVG that is readable on light and on dark pages."""

from dataclasses import dataclass
from html import escape

WIDTH, LABEL, ROW, TOP, RIGHT = 1000, 400, 20, 64, 150

STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #222 }
  .title { font-weight: 600; font-size: 15px }
  .small { font-size: 11px; fill: #666 }
  .roof { fill: #d9d9de } .ours { fill: #2563a8 } .peer { fill: #c2571a } .hand { stroke: #333; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e6e6 } .small { fill: #a5a5a5 }
    .roof { fill: #3d3d45 } .ours { fill: #6fa8e8 } .peer { fill: #f0975a } .hand { stroke: #ddd }
  }
"""


@dataclass
class Bar:
    """All rates in GB/s."""

    name: str
    limit: float
    ours: float
    peer: float
    peerName: str
    hand: float


def picture(bars):
    """Each row's full width is the limit measured at the case's own size."""
    scale = WIDTH - LABEL - RIGHT
    height = TOP + ROW * len(bars) + 16
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'aria-label="Bytes per second reached, as a share of what the machine can move">'
        ),
        f"<style>{STYLE}</style>",
        '<text class="title" x="8" y="22">Memory traffic reached, as a share of the measured limit (one thread)</text>',
    ]
    x = 8
    for kind, text in (("roof", "limit"), ("ours", "Broadloom"), ("peer", "best peer")):
        out.append(
            f'<rect class="{kind}" x="{x}" y="36" width="12" height="12"/><text x="{x + 17}" y="47">{text}</text>'
        )
        x += 40 + 7 * len(text)
    out.append(
        f'<line class="hand" x1="{x + 5}" x2="{x + 5}" y1="35" y2="49"/><text x="{x + 14}" y="47">by hand</text>'
    )
    for i, bar in enumerate(bars):
        y = TOP + i * ROW
        # A loop may beat the limit's by a little; the picture ends there.
        x_of = lambda rate: LABEL + scale * min(rate / bar.limit, 1.06)
        out.append(f'<text x="{LABEL - 8}" y="{y + 13}" text-anchor="end">{escape(bar.name)}</text>')
        out.append(f'<rect class="roof" x="{LABEL}" y="{y + 2}" width="{scale}" height="15"/>')
        out.append(f'<rect class="ours" x="{LABEL}" y="{y + 2}" width="{x_of(bar.ours) - LABEL:.1f}" height="8"/>')
        if bar.peer:
            out.append(
                f'<rect class="peer" x="{LABEL}" y="{y + 10}" width="{x_of(bar.peer) - LABEL:.1f}" height="7">'
                f"<title>{escape(bar.peerName)}: {bar.peer:.1f} GB/s</title></rect>"
            )
        if bar.hand:
            at = f"{x_of(bar.hand):.1f}"
            out.append(f'<line class="hand" x1="{at}" x2="{at}" y1="{y + 1}" y2="{y + 18}"/>')
        out.append(
            f'<text class="small" x="{LABEL + scale * 1.06 + 6:.0f}" y="{y + 13}">'
            f"{bar.ours:.1f} of {bar.limit:.1f} GB/s</text>"
        )
    return "\n".join(out) + "\n</svg>\n"
