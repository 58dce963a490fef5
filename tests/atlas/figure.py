# SPDX-License-Identifier: GPL-3.0-or-later
"""A diagram as SVG: curves as lines, what they are compared with as open circles."""
import math

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 74, 14, 34, 44
LETTER = 7  # width of a letter of the legend
COLORS = ["#1f6fb4", "#c8501e", "#2c8a4b", "#7a4ca0", "#8a6d1b"]
TEXT = 'font-family="sans-serif" font-size="12" fill="#222222"'


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def ticks(low, high):
    """Four to nine round numbers between low and high."""
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(f for f in (1, 2, 5, 10) if (high - low) / (f * step) <= 8)
    return [i * step for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def thin(points, most=400):
    """At most that many of the points, evenly."""
    stride = max(1, math.ceil(len(points) / most))
    return points[::stride]


class Axes:
    """Maps values to places. Logarithmic axes show powers of ten."""

    def __init__(self, points, logarithmic):
        self.log = logarithmic
        spans = []
        for axis in (0, 1):
            values = [math.log10(p[axis]) if logarithmic else p[axis] for p in points]
            low, high = min(values), max(values)
            room = 0.05 * (high - low) or 0.5
            spans.append((low - room * axis, high + room * axis))
        self.spans = spans

    def place(self, axis, value, is_power=False):
        if self.log and not is_power:
            value = math.log10(value)
        low, high = self.spans[axis]
        part = (value - low) / (high - low)
        return LEFT + part * (WIDTH - LEFT - RIGHT) if axis == 0 else HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)

    def ticks(self, axis):
        low, high = self.spans[axis]
        if not self.log:
            return [(v, f"{v:.6g}") for v in ticks(low, high)]
        powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        return [(v, f"1e{v}") for v in powers][::1 + len(powers) // 8]


def diagram(x_name, y_name, curves, marks=(), logarithmic=False):
    """curves, marks: lists of (name, [(x, y)]). A mark has the color of the curve in its place."""
    curves = [(name, thin(points)) for name, points in curves]
    marks = [(name, thin(points, 25)) for name, points in marks]
    axes = Axes([p for _, points in [*curves, *marks] for p in points], logarithmic)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">',
             f'<rect x="0" y="0" width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for value, label in axes.ticks(0):
        x = axes.place(0, value, True)
        lines += [f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>',
                  f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle" {TEXT}>{label}</text>']
    for value, label in axes.ticks(1):
        y = axes.place(1, value, True)
        lines += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>',
                  f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end" {TEXT}>{label}</text>']
    lines += [f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle" {TEXT}>{escape(x_name)}</text>',
              f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2:.0f}" text-anchor="middle" '
              f'transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2:.0f})" {TEXT}>{escape(y_name)}</text>']
    legend = LEFT
    for i, (name, points) in enumerate(curves):
        color, path = COLORS[i % len(COLORS)], " ".join(f"{axes.place(0, x):.1f},{axes.place(1, y):.1f}" for x, y in points)
        lines += [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6"/>',
                  f'<text x="{legend}" y="20" {TEXT.replace("#222222", color)}>{escape(name)}</text>']
        legend += LETTER * (len(name) + 2)
    for i, (_, points) in enumerate(marks):
        color = COLORS[i % len(COLORS)]
        lines += [f'<circle cx="{axes.place(0, x):.1f}" cy="{axes.place(1, y):.1f}" r="3.5" fill="none" stroke="{color}"/>'
                  for x, y in points]
    if marks:
        lines.append(f'<text x="{WIDTH - RIGHT}" y="20" text-anchor="end" {TEXT}>o {escape(marks[0][0])}</text>')
    return "\n".join(lines + ["</svg>", ""])
