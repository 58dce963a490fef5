# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of networks.py that stick, slip, switch, sample or are constrained. Each takes a Part."""


def friction(part):
    """A mass on a spring that rubs on a belt."""
    rng = part.rng
    for ident, kind in (("v", "J1"), ("on", "J0")):
        part.add(kind, ident)
    coulomb, words = float(part.some(0.3 * part.e)), {}
    if rng.random() < 0.5:
        words["static"] = f"{coulomb * rng.uniform(1, 2):.15g}"
    x = rng.randrange(4)
    if x == 0:
        words["stribeck"] = part.some(0.2 * part.f)
    elif x == 1:
        words["dwell"] = part.some(part.t)
    elif x == 2:
        words["viscous"] = part.some(0.2 * part.e / part.f)
    strength = f"{coulomb:.15g}"
    if rng.random() < 0.3:
        strength += f"[{part.ue}]*(1.2 + sin(t/{part.some(part.t)}[s]))"
    part.add("Friction", "F", coulomb=strength, **words)
    part.storage("v", "I", "I")
    part.storage("v", "C", "C")
    part.source("on", "belt", "Sf")
    part.bond("on", "F")
    part.bond("on", "v")


def slipping(part):
    """Two inertias joined by a friction lining, and a spring at one of them."""
    for ident, kind in (("a", "J1"), ("b", "J1"), ("on", "J0")):
        part.add(kind, ident)
    part.add("Friction", "F", coulomb=part.some(0.3 * part.e))
    part.storage("a", "I", "I")
    part.storage("b", "L", "I")
    part.storage("b", "C", "C")
    part.source("a", "U", "Se")
    part.bond("a", "on", "b")
    part.bond("on", "F")


def corners(part):
    """A spring and a resistance whose laws have corners and a jump."""
    rng, e, f, q = part.rng, part.e, part.f, part.q
    flow, x = f"f/{part.some(0.3 * f)}[{part.uf}]", rng.randrange(4)
    law = (f"0.2*sign({flow}) + 0.3*{flow}", f"{flow}*abs({flow}) + 0.1*{flow}",
           f"2*max({flow} - 0.5, 0) + 0.3*min({flow}, 0)", f"if({flow} > 0.4, 2*{flow} - 0.4, {flow})")[x]
    part.add("J1", "j")
    part.add("R", "R", law=f"{e:.15g}[{part.ue}]*({law})")
    gap = f"max(abs(q/{part.some(q)}[{part.uq}]) - {rng.uniform(0.1, 1):.15g}, 0)"
    part.add("C", "C", energy=f"{e * q:.15g}[J]*((q/{q:.15g}[{part.uq}])^2/4 + 2*{gap}^2)", q0=part.initial(q))
    part.bond("j", "R")
    part.bond("j", "C")
    part.storage("j", "I", "I")
    part.source("j", "U", "Se")


def relay(part):
    """An oscillator that a relay with two thresholds drives or brakes, by its displacement or its flow."""
    n, rng = part.n, part.rng
    of, unit, size = rng.choice(((f"C{n}.q", part.uq, part.q), (f"I{n}.f", part.uf, part.f)))
    part.add("J1", "j")
    part.add("signal", "x", of=of)
    part.add("Hysteresis", "h", of=f"x{n}", rising=f"{rng.uniform(0.1, 0.5) * size:.15g} {unit}",
             falling=f"{rng.uniform(-0.3, 0.1) * size:.15g} {unit}", initial=rng.choice(("above", "below")),
             above=f"{part.initial(part.e)} {part.ue}", below=f"{part.initial(part.e)} {part.ue}")
    part.add("Se", "U", effort=f"h{n}")
    part.storage("j", "I", "I")
    part.storage("j", "C", "C")
    part.resistance("j", "R")
    part.bond("U", "j", turn=False)


def controller(part):
    """An inertia that is held by its flow: sampled, behind a filter, and delayed."""
    n, gain = part.n, f"{part.some(0.1 * part.e)}[{part.ue}]/{part.f:.15g}[{part.uf}]"
    tau = part.some(0.2 * part.t)
    part.add("J1", "j")
    part.add("signal", "f", of=f"I{n}.f")
    part.add("SampleHold", "s", of=f"f{n}", period=f"{part.rng.uniform(0.03, 0.2) * part.t:.15g} s")
    part.add("SampleHold", "sum", of=f"0.9*sum{n} + 0.1*s{n}", period=f"{0.1 * part.t:.15g} s")
    part.add("TransferFunction", "y", of=f"f{n}", num=f"{0.3 * float(tau):.15g} 1",
             den=f"{float(tau)**2:.15g} {float(tau):.15g} 1")
    part.add("Delay", "late", of=f"f{n}", delay=f"{part.rng.uniform(0.02, 0.3) * part.t:.15g} s")
    part.add("Se", "M", effort=f"-{gain}*(s{n} + sum{n} + y{n} + 0.5*late{n})")
    part.storage("j", "I", "I")
    part.storage("j", "C", "C")
    part.source("j", "U", "Se")
    part.resistance("j", "R")
    part.bond("M", "j", turn=False)


def pendulum(part):
    """A point mass on a rod: an angle that two transformers bring to the plane, with a spring at the joint or not."""
    part.choose("translation")
    rng, n, length = part.rng, part.n, part.q
    mass, start = part.some(part.p / part.f), 0 if part.rest else rng.uniform(-3, 3)
    part.add("J1", "swing", domain="rotation")
    part.add("signal", "w", of=f"swing{n}.f")
    part.add("signal", "th", rate=f"w{n}", start=f"{start:.15g} rad")
    for axis, law in (("x", "cos"), ("y", "sin")):
        part.add("MTF", f"T{axis}", ratio=f"{length:.15g}[m]*{law}(th{n})")
        part.add("J1", axis)
        part.add("I", f"I{axis}", mass=mass)
        part.bond("swing", f"T{axis}", axis, f"I{axis}", turn=False)
    part.add("Se", "G", effort=f"-{abs(float(part.initial(part.e))):.15g}")
    part.bond("G", "y", turn=False)
    if rng.random() < 0.5:
        part.add("C", "C", domain="rotation", c=part.some(1 / (part.e * part.q)))
        part.bond("swing", "C")
    if rng.random() < 0.5:
        part.add("R", "R", domain="rotation", r=part.some(0.05 * part.e * part.q * part.t))
        part.bond("swing", "R")


def clutch(part):
    """Two inertias that a clutch joins and parts, with springs to the ground."""
    times = sorted(part.rng.uniform(0.1, 4) * part.t for _ in range(3))
    for ident in "ab":
        part.add("J1", ident)
        part.storage(ident, f"I{ident}", "I")
        part.storage(ident, f"C{ident}", "C")
    part.add("Clutch", "K", times=" ".join(f"{t:.15g}" for t in times))
    part.bond("a", "K", "b", turn=False)
    part.source("a", "U", "Se")
    part.resistance("b", "R")


KINDS = {friction: 1, slipping: 1, corners: 1, relay: 1, controller: 1, pendulum: 1, clutch: 1}
