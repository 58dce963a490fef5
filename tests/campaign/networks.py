# SPDX-License-Identifier: GPL-3.0-or-later
"""Random netlists of all kinds, for tools/campaign.

A netlist consists of parts that no bond joins. Every part has a solution by the way it is made: a J1 has a
resistance or an inertia, a J0 a resistance or a compliance, and sources meet one of these before they could
force a storage. Sizes follow from an effort e, a flow f and a time t of the part: a displacement is about
q = f t/6, a momentum p = e t/6, an energy e q."""
import math
import random

import contacts
import mechanisms
import switching

DOMAINS = {
    # name: units of effort, flow, displacement, momentum
    "electric": ("V", "A", "C", "Wb"),
    "translation": ("N", "m/s", "m", "N.s"),
    "rotation": ("N.m", "rad/s", "rad", "N.m.s"),
    "hydraulic": ("Pa", "m^3/s", "m^3", "Pa.s"),
}


class Part:
    """Writes elements with ids of its own into `text` (network) and `head` (before it)."""

    def __init__(self, rng, number, e, f, t, rest):
        self.rng, self.n, self.e, self.f, self.t, self.rest = rng, number, e, f, t, rest
        self.q, self.p = f * t / 6, e * t / 6
        self.choose(rng.choice(sorted(DOMAINS)))
        self.text, self.head, self.tail = [], [], []

    def choose(self, domain):
        self.domain = domain
        self.ue, self.uf, self.uq, self.up = DOMAINS[domain]

    def some(self, size):
        return f"{size * math.exp(self.rng.uniform(math.log(0.2), math.log(5))):.15g}"

    def initial(self, size):
        value = self.rng.uniform(-1, 1) * size
        return "0" if self.rest else f"{value:.15g}"

    def add(self, kind, ident, **attributes):
        words = "".join(f' {name.strip("_")}="{value}"' for name, value in attributes.items())
        self.text.append(f'<{kind} id="{ident}{self.n}"{words}/>')

    def bond(self, *path, turn=True):
        """Bonds along a path of ids; half of them are turned round."""
        for a, b in zip(path, path[1:]):
            a, b = (self.named(end) for end in ((b, a) if turn and self.rng.random() < 0.5 else (a, b)))
            self.text.append(f'<bond from="{a}" to="{b}"/>')

    def named(self, end):
        ident, dot, port = end.partition(".")
        return f"{ident}{self.n}{dot}{port}"

    def resistance(self, at, ident):
        r, x = self.e / self.f, self.rng.randrange(7)
        if x == 0:
            self.add("R", ident, law=f"{0.3 * self.e:.15g}[{self.ue}]*tanh(f/{0.4 * self.f:.15g}[{self.uf}])"
                                     f" + {self.some(r)}[{self.ue}]*f/1[{self.uf}]")
        elif x == 1:
            self.add("R", ident, r=self.some(self.e / self.f**1.25), exponent="1.25")
        elif x == 2:
            self.add("R", ident, flows=" ".join(f"{self.f * k:.15g}" for k in (-9, -1, 0, 1, 9)),
                     efforts=" ".join(f"{self.e * k:.15g}" for k in (-12, -1, 0, 1, 12)))
        else:
            self.add("R", ident, r=self.some(r))
        self.bond(at, ident)

    def storage(self, at, ident, kind):
        x, y, name, unit = {"C": (self.q, self.e, "q", self.uq), "I": (self.p, self.f, "p", self.up)}[kind]
        if self.rng.random() < 0.3:
            size = self.some(x)
            self.add(kind, ident, energy=f"{x * y:.15g}[J]*(({name}/{size}[{unit}])^2/2 + "
                                         f"({name}/{size}[{unit}])^4/7)", **{name + "0": self.initial(x)})
        else:
            self.add(kind, ident, **{"c" if kind == "C" else "l": self.some(x / y), name + "0": self.initial(x)})
        self.bond(at, ident)

    def source(self, at, ident, kind):
        name, size, unit = {"Se": ("effort", self.e, self.ue), "Sf": ("flow", self.f, self.uf)}[kind]
        x, value = self.rng.randrange(4), self.initial(size)
        if x == 0:
            self.add(kind, ident, **{name: value}, waveform="sine", frequency=f"{self.some(1 / self.t)} Hz")
        elif x == 1:
            self.add(kind, ident, **{name: value}, waveform="step", start=f"{self.some(self.t)} s")
        elif x == 2:
            self.add(kind, ident, **{name: f"{value}[{unit}]*exp(-t/{self.some(self.t)}[s])*"
                                           f"cos(t/{self.some(self.t / 3)}[s])"})
        else:
            self.add(kind, ident, **{name: value})
        self.bond(ident, at, turn=False)


def circuit(part):
    """A tree of junctions of alternating kind, with transformers and gyrators between some of them."""
    rng, kinds = part.rng, []
    for k in range(rng.randrange(2, 8)):
        parent, link = (rng.randrange(k), rng.randrange(4)) if k else (0, 3)
        kinds.append(rng.randrange(2) if not k else kinds[parent] if link == 0 else 1 - kinds[parent])
        at = f"j{k}_"
        part.add(f"J{kinds[k]}", at)
        if k and link == 0:
            part.add("GY", f"g{k}_", ratio=part.some(part.e / part.f))
            part.bond(f"j{parent}_", f"g{k}_", at, turn=False)
        elif k and link == 1:
            part.add("TF", f"t{k}_", ratio=part.some(1))
            part.bond(f"j{parent}_", f"t{k}_", at, turn=False)
        elif k:
            part.bond(f"j{parent}_", at)
        stores = rng.random() < 0.7
        if stores:
            part.storage(at, f"s{k}_", "CI"[kinds[k]])
        if not stores or rng.random() < 0.7:
            part.resistance(at, f"r{k}_")
        if rng.random() < 0.4:
            part.source(at, f"u{k}_", ("Sf", "Se")[kinds[k]])


def oscillator(part):
    """Without any loss."""
    part.add("J1", "j")
    part.storage("j", "m", "I")
    part.storage("j", "k", "C")


def field(part):
    """Fields of two ports: compliance, inertia, both mixed, resistance."""
    c, l, r = part.q / part.e, part.p / part.f, part.e / part.f
    for ident, kind in (("a", "J0"), ("b", "J0"), ("c", "J1"), ("d", "J1")):
        part.add(kind, ident)
    matrix = lambda size, *m: " ".join(f"{size * x:.15g}" for x in m)
    part.add("CField", "CF", c=matrix(c, 1, 0.4, 0.4, 1.3), q0=f"{part.initial(part.q)} {part.initial(part.q)}")
    part.add("IField", "IF", l=matrix(l, 1, -0.6, -0.6, 1.1), p0=f"{part.initial(part.p)} {part.initial(part.p)}")
    part.add("RField", "RF", r=matrix(r, 1, 0.3, -0.2, 2))
    part.add("ICField", "XF", energy=f"{part.e * part.q:.15g}[J]*((q1/{part.q:.15g}[{part.uq}])^2/2 + "
             f"(p2/{part.p:.15g}[{part.up}])^2/2*(1 + 0.3*(q1/{part.q:.15g}[{part.uq}])^2))",
             x0=f"{part.initial(part.q)} {part.initial(part.p)}")
    for path in (("a", "CF.1"), ("b", "CF.2"), ("c", "IF.1"), ("d", "IF.2"), ("c", "RF.1"), ("d", "RF.2"),
                 ("a", "c"), ("b", "d"), ("a", "XF.1"), ("d", "XF.2")):
        part.bond(*path)


def signals(part):
    """An inertia, a spring behind a transformer that follows the angle, a source that follows signals."""
    n = part.n
    part.add("J1", "j")
    part.add("I", "I", l=part.some(part.p / part.f), p0=part.initial(part.p))
    part.add("signal", "f", of=f"I{n}.f")
    part.add("signal", "x", rate=f"f{n}")
    part.add("signal", "s", value=f"x{n}/{part.q:.15g}[{part.uq}]")
    part.add("MTF", "M", ratio=f"{part.rng.uniform(0.7, 2):.15g} + 0.4*cos(s{n})")
    part.add("C", "C", c=part.some(part.q / part.e), q0=part.initial(part.q))
    part.add("MGY", "G", ratio=f"{part.some(part.e / part.f)}[{part.ue}]/1[{part.uf}]*(1 + 0.5*sin(s{n}))")
    part.add("I", "L", l=part.some(part.p / part.f))
    part.resistance("j", "R")
    part.add("Se", "U", effort=f"{part.initial(part.e)}[{part.ue}]*sin(s{n} + t/{part.some(part.t)}[s])")
    for path in (("j", "I"), ("j", "M"), ("M", "C"), ("j", "G"), ("G", "L")):
        part.bond(*path, turn=False)
    part.bond("U", "j", turn=False)


def switches(part):
    """A rectifier with its load, and a coil and a capacitor that a switch connects to it."""
    part.source("in", "U", "Se")
    for ident, kind in (("in", "J1"), ("D", "Diode"), ("dc", "J0"), ("sw", "J1")):
        part.add(kind, ident)
    times = sorted(part.rng.uniform(0.1, 4) * part.t for _ in range(2))
    part.add("Switch", "S", times=" ".join(f"{t:.15g}" for t in times))
    part.add("C", "C", c=part.some(part.q / part.e), q0=part.initial(part.q))
    part.add("C", "E", c=part.some(part.q / part.e))
    part.add("I", "L", l=part.some(part.p / part.f))
    for at, ident in (("in", "Ri"), ("dc", "Rl"), ("sw", "Rs")):
        part.add("R", ident, r=part.some(part.e / part.f))
        part.bond(at, ident)
    for path in (("in", "D"), ("in", "dc"), ("dc", "C"), ("dc", "sw"), ("sw", "S"), ("sw", "L"), ("sw", "E")):
        part.bond(*path, turn=False)


def chain(part):
    """A chain of equal sections: a repeat over a sub-model."""
    n, count, d = part.n, part.rng.randrange(2, 9), part.domain
    part.head.append(
        f'<submodel id="Section{n}"><parameters><param id="q0"/></parameters>'
        f'<port id="left" domain="{d}" node="a" open="yes"/><port id="right" domain="{d}" node="b"/>'
        f'<network domain="{d}"><J1 id="a"/><I id="L" l="{part.some(part.p / part.f)}"/><J0 id="b"/>'
        f'<C id="C" c="{part.some(part.q / part.e)}" q0="q0"/><bond from="a" to="L"/>'
        f'<bond from="a" to="b"/><bond from="b" to="C"/></network></submodel>')
    part.text.append(
        f'<repeat index="k" count="{count}"><use id="u{n}[k]" submodel="Section{n}">'
        f'<set param="q0" value="{part.initial(part.q)}[{part.uq}]*sin(k)"/></use></repeat>'
        f'<repeat index="k" count="{count - 1}"><bond from="u{n}[k].right" to="u{n}[k+1].left"/></repeat>')
    part.add("J1", "end")
    part.storage("end", "L", "I")
    part.resistance("end", "R")
    part.text.append(f'<bond from="u{n}[{count}].right" to="end{n}"/>')


def dependent(part):
    """Capacitors that share their voltage, inertias behind a gear: storages that depend on others."""
    u, f, ratio = (float(part.initial(x)) for x in (part.e, part.f, 1))
    ratio = abs(ratio) + 0.2
    for ident, kind in (("a", "J0"), ("s", "J1")):
        part.add(kind, ident)
    for ident in "CE":
        c = float(part.some(part.q / part.e))
        part.add("C", ident, c=f"{c:.15g}", q0=f"{c * u:.15g}")
    for ident, flow in (("L", f), ("M", ratio * f)):
        l = float(part.some(part.p / part.f))
        part.add("I", ident, l=f"{l:.15g}", p0=f"{l * flow:.15g}")
    part.add("TF", "T", ratio=f"{ratio:.15g}")
    for path in (("a", "C"), ("a", "E"), ("a", "s"), ("s", "L"), ("s", "T", "M")):
        part.bond(*path, turn=False)
    part.resistance("s", "R")


def stop(part):
    """A mass on a spring that bounces between two rigid stops."""
    part.add("J1", "j")
    part.add("Stop", "S", upper=f"{0.3 * part.q:.15g}", lower=f"{-0.2 * part.q:.15g}",
             restitution=f"{part.rng.uniform(0.2, 0.9):.3f}")
    part.add("I", "I", l=part.some(part.p / part.f), p0=part.initial(part.p))
    part.add("C", "C", c=part.some(part.q / part.e))
    part.add("R", "R", r=f"{0.1 * part.e / part.f:.15g}")
    for ident in "SICR":
        part.bond("j", ident, turn=False)
    part.source("j", "U", "Se")


def vectors(part):
    """A bond of two components with full matrices."""
    matrix = lambda size, a, b, c: f"{size * a:.15g} {size * b:.15g} {size * b:.15g} {size * c:.15g}"
    part.add("J1", "j")
    part.add("C", "C", dim=2, c=matrix(part.q / part.e, 1, 0.3, 0.7), q0=f"{part.initial(part.q)} {part.initial(part.q)}")
    part.add("I", "I", dim=2, l=matrix(part.p / part.f, 1.2, -0.2, 0.8))
    part.add("R", "R", dim=2, r=matrix(0.2 * part.e / part.f, 1, 0.1, 2))
    part.add("Se", "U", effort=f"{part.initial(part.e)} {part.initial(part.e)}")
    for ident in "CIR":
        part.bond("j", ident, turn=False)
    part.bond("U", "j", turn=False)


def heat(part):
    """A resistance that heats a body, which a wall and its rays cool; temperatures and entropies have their
    own sizes."""
    part.choose("electric")
    power = part.e * part.f
    c = f"{power * part.t / 30:.15g}"  # [J/K]: some 30 K in the time t
    part.add("J1", "j")
    part.add("R", "R", r=part.some(part.e / part.f))
    part.source("j", "U", "Se")
    part.storage("j", "L", "I")
    part.text.append(f'<J0 id="T{part.n}" domain="thermal"/><C id="body{part.n}" domain="thermal" '
                     f'energy="{c}[J/K]*300[K]*(exp(q/{c}[J/K]) - 1)"/><HeatR id="wall{part.n}" '
                     f'g="{part.some(power / 100)}"/><Se id="room{part.n}" domain="thermal" effort="300"/>')
    part.bond("j", "R", turn=False)
    part.bond("R.heat", "T", turn=False)
    part.bond("T", "body", turn=False)
    part.bond("T", "wall.from", turn=False)
    part.bond("room", "wall.to", turn=False)
    if part.rng.random() < 0.5:
        part.text.append(f'<J0 id="A{part.n}" domain="thermal"/><C id="air{part.n}" domain="thermal" '
                         f'energy="{c}[J/K]*310[K]*(exp(q/{c}[J/K]) - 1)"/><HeatR id="rays{part.n}" '
                         f'heat="{part.some(power)}[W]*((T1/300[K])^4 - (T2/300[K])^4)"/>')
        for path in (("T", "rays.from"), ("rays.to", "A"), ("A", "air")):
            part.bond(*path, turn=False)


KINDS = {circuit: 6, oscillator: 1, field: 1, signals: 1, switches: 1, chain: 1, dependent: 1, stop: 1,
         vectors: 1, heat: 1, **switching.KINDS}


HIDDEN = (circuit, oscillator, field, dependent, vectors, switching.friction, switching.corners, switching.clutch)


def netlist(seed, effort=1.0, flow=1.0, time=1.0, rest=False, hidden=0.0, run="", kinds=None, sizes=None):
    """The netlist of a seed. The parts drawn depend on the seed alone, not on the sizes.

    effort, flow, time: factors of the sizes of all parts;  hidden: energy of one part more relative to theirs, whose
    elements have ids that end with "_hidden"; 0: none
    sizes: out, {(part, unit): size} of the states of each part, or None"""
    rng = random.Random(seed)
    head, body, scenes = [], [], []
    t = time * math.exp(rng.uniform(-5, 5))
    for n in range(rng.randrange(1, 4)):
        e, f = effort * math.exp(rng.uniform(-3, 3)), flow * math.exp(rng.uniform(-3, 3))
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0] if kinds is None else rng.choice(kinds)
        part = Part(rng, n, e, f, t, rest)
        kind(part)
        head += part.head
        body.append(f'<network domain="{part.domain}">' + "\n".join(part.text) + "</network>")
        if sizes is not None:
            sizes |= {(str(n), f"{part.uq}]"): part.q, (str(n), f"{part.up}]"): part.p}
    if kinds is None and rng.random() < 0.25:
        size, mass = math.exp(rng.uniform(-3, 3)), math.exp(rng.uniform(-3, 3))
        # length: as the flow leaves it; energy: effort flow time
        scenes.append(contacts.Scene(rng, 90, t, size * time * flow, mass * effort * time / flow, rest))
    if hidden > 0:
        chance = random.Random(seed + 3 * 10**9)
        if chance.random() < 0.2:
            size = time * flow * math.exp(chance.uniform(-1, 1))
            scenes.append(contacts.Scene(chance, "_hidden", t, size, hidden * effort * flow * t * (t / size)**2, rest))
        else:
            part = Part(chance, "_hidden", effort * math.sqrt(hidden), flow * math.sqrt(hidden), t, rest)
            chance.choice(HIDDEN)(part)
            head += part.head
            body.append(f'<network domain="{part.domain}">' + "\n".join(part.text) + "</network>")
    for scene in scenes:
        contacts.add_scene(scene)
    joints = random.Random(seed + 4 * 10**9)  # of its own: what else a seed draws stays as it was
    if kinds is None and joints.random() < 0.2:
        size, mass = math.exp(joints.uniform(-3, 3)), math.exp(joints.uniform(-3, 3))
        scenes.append(contacts.Scene(joints, 91, t, size * time * flow, mass * effort * time / flow, rest))
        mechanisms.add_mechanism(scenes[-1])
    text = "\n".join(head + body + contacts.chapters(scenes))
    return (f'<screwbond version="1" id="n{seed}">\n{text}\n'
            f'<run t-end="{5 * t:.15g} s" sample="{t / 5:.15g} s" {run}/>\n</screwbond>\n')
