# SPDX-License-Identifier: GPL-3.0-or-later
"""A mass of 1 kg pushed by a random expression of the time, and the momentum that it has in the end, by adaptive quadrature of the same
expression: trees of sums, products, choices and smooth functions over pulses, lines, sines and saws, most of them narrow beside the run, and
some of them far from t = 0. What decides on a branch has a random constant beside it, so that nothing rests where a branch ends."""
import bisect
import math
import random

DEEPEST = 60  # bisections
# Lobatto's rule of 4 points on [-1, 1] in Kronrod's of 7 (Gander & Gautschi, "Adaptive quadrature - revisited", BIT 40, 2000): with the ends,
# as a jump beside the end of a panel is not seen without.
NODES = (-1, -math.sqrt(2 / 3), -math.sqrt(1 / 5), 0, math.sqrt(1 / 5), math.sqrt(2 / 3), 1)
FINE = [w / 1470 for w in (77, 432, 625, 672, 625, 432, 77)]
ROUGH = [w / 6 for w in (1, 0, 5, 0, 5, 0, 1)]

FUNCTIONS = {"sin": math.sin, "exp": math.exp, "tanh": math.tanh, "atan": math.atan, "sqrt": math.sqrt, "abs": abs, "max": max, "min": min,
             "floor": math.floor, "sign": lambda a: (a > 0) - (a < 0), "mod": lambda a, b: a % b, "choose": lambda a, b, c: b if a else c}


class Force:
    """An expression in the words of a netlist, with {s} for a unit of time, and the places where it may be narrow: (time, width)."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.span = float(f"{10 ** rng.uniform(-6, 6):.4g}")
        self.start = rng.choice([0, 0, float(f"{self.span * 10 ** rng.uniform(0, 3):.4g}")])
        self.end = self.start + self.span
        self.places = []
        self.words = self.tree(rng.randint(2, 4))
        while not self.places:
            self.words = self.tree(3)

    def number(self, low, high):
        return f"{self.rng.uniform(low, high):.7f}"

    def place(self, narrowest):
        """The distance from a random time in widths, which are 10^narrowest to a tenth of the span."""
        at = float(f"{self.rng.uniform(self.start, self.end):.14g}")
        width = float(f"{self.span * 10 ** self.rng.uniform(narrowest, -1):.6g}")
        self.places.append((at, width))
        return f"(t-{at!r}{{s}})/{width!r}{{s}}"

    def leaf(self):
        kind = self.rng.randrange(5)
        if kind == 0:
            return self.number(0.3, 3)
        if kind == 1:
            rate = 10 ** self.rng.uniform(-1, 2) / self.span
            return f"sin({self.number(0, 6)} + t*{rate:.7g}/1{{s}})"
        if kind == 2:
            return f"({self.place(-3)})"
        if kind == 3:
            period = float(f"{self.span * 10 ** self.rng.uniform(-1.5, 0):.7g}")
            first = math.ceil(self.start / period)
            self.places += [(k * period, 0.1 * period) for k in range(first, math.floor(self.end / period) + 1)]
            return f"({self.number(0.01, 0.3)} + mod(t, {period!r}{{s}})/{period!r}{{s}})"
        return f"({self.number(0.01, 0.3)} + {10 ** self.rng.uniform(-2.5, 0):.7f}*exp(-({self.place(-5)})^2))"

    def tree(self, depth):
        if depth == 0 or self.rng.random() < 0.1:
            return self.leaf()
        form = self.rng.choice((
            "({a} + {b})", "({a} - {b})", "{a}*{b}", "max({a}, {b})", "min({a}, {b})", "abs({a})", "sign({a} - {c})", "max(0, {a})",
            "floor({k}*tanh({a}) + {c})", "choose({a} < {b} + {c}, {d}, {c})", "choose(mod({k}*tanh({a}) + {c}, 1) > 0.5, {b}, 0)",
            "{a}/(1 + abs({b}))", "tanh({k} - {a} - {b})", "atan({k}*{a} + {b})", "sqrt({k} + ({a} - {b})^2)", "sin({k}*tanh({a} - {b}))",
            "exp(-abs({k} + {a} - {b}))"))
        parts = {name: self.tree(depth - 1) for name in "abd" if "{" + name + "}" in form}
        return form.format(c=self.number(0.03, 0.4), k=self.number(2, 5), **parts)

    def function(self):
        text = self.words.replace("{s}", "").replace("^", "**")
        return eval(f"lambda t: {text}", dict(FUNCTIONS))


def grid(force, count):
    """Ends of panels: even ones of this count, and about every place some that grow from a millionth of its width to the span: a product
    of two may be far narrower than each."""
    ends = {force.start + force.span * k / count for k in range(count + 1)} | {force.end}
    for at, width in force.places:
        ends.add(at)
        apart = 0
        while apart < force.span:
            apart += max(1e-6 * width, 0.4 * apart)
            ends |= {at - apart, at + apart}
    ordered = sorted(ends)
    return ordered[bisect.bisect_left(ordered, force.start):bisect.bisect_right(ordered, force.end)]


def panel(f, a, b):
    half, middle = 0.5 * (b - a), 0.5 * (a + b)
    values = [f(middle + half * x) for x in NODES]
    whole, rough = (half * sum(w * y for w, y in zip(rule, values)) for rule in (FINE, ROUGH))
    return whole, abs(whole - rough), 2 * half * max(map(abs, values))


def momentum(seed, accuracy, count):
    """The integral of an expression from start to end, and that of its absolute value, about, by at least `count` panels."""
    force = Force(seed)
    f, ends = force.function(), grid(force, count)
    panels = [(a, b, *panel(f, a, b)) for a, b in zip(ends, ends[1:])]
    size = sum(p[4] for p in panels)
    done = []
    for _ in range(DEEPEST):
        fine = [p for p in panels if p[3] <= accuracy * size * max(1e-4, (p[1] - p[0]) / force.span)]
        done += [p[2] for p in fine]
        kept = set(map(id, fine))
        panels = [(x, y, *panel(f, x, y)) for p in panels if id(p) not in kept
                  for x, y in ((p[0], 0.5 * (p[0] + p[1])), (0.5 * (p[0] + p[1]), p[1]))]
        if not panels:
            break
    return math.fsum(done) + math.fsum(p[2] for p in panels), size


def netlist(seed):
    force = Force(seed)
    words = force.words.replace("{s}", "[s]").replace("choose(", "if(").replace("<", "&lt;").replace(">", "&gt;")
    source = force.rng.choice((
        f'<Se id="s" effort="1[N]*({words})"/>', f'<signal id="u" value="{words}"/><Se id="s" effort="1[N]*u"/>',
        f'<signal id="u" value="{words}"/><signal id="v" value="2*u"/><Se id="s" effort="0.5[N]*v"/>'))
    return (f'<screwbond version="1" id="force"><network domain="translation">{source}<I id="m" mass="1 kg"/>'
            f'<bond from="s" to="m"/></network><run t-start="{force.start!r} s" t-end="{force.end!r} s" sample="{force.span!r} s"/>'
            '<output id="p" of="m.p"/></screwbond>\n')
