# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on several feet and chains of links that fall on rigid floors and into corners: random feet, inertia, friction, restitution,
laws of impact and starts. Every third one is a chain. What rests in the end does so by many impacts, slips and sticks."""
import math
import random
import re

G = 9.81
CLEAR = 0.01  # [m] between a chain that hangs from a pivot and the floor, at least


def law(rng, impacts=("newton", "poisson", "stronge")):
    mu = rng.choice([0, *(rng.uniform(0, 1.2) for _ in range(3))])
    kind = rng.choice(impacts if mu == 0 else impacts[-2:])  # Newton's gives energy with friction
    friction = f'friction="coulomb" mu="{mu}"' if mu > 0 else ""
    return (f'<laws><contact-law id="hard" normal="rigid" restitution="{rng.choice([0, *(rng.uniform(0, 0.9) for _ in range(2))])}" '
            f'{friction} impact="{kind}" impacts="{rng.choice(["simultaneous", "sequential"])}"/></laws>'
            '<defaults><contact law="hard"/></defaults>')


def feet(rng):
    """Places of points in the frame of the centre of mass."""
    a, b, c = (rng.uniform(0.05, 0.2) for _ in range(3))
    kind = rng.choice(("box", "tripod", "plate", "rod", "any"))
    if kind == "box":
        return [(x * a, y * b, z * c) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    if kind == "tripod":
        return [(a * math.cos(2.1 * k + 0.3), a * math.sin(2.1 * k + 0.3), -b) for k in range(3)] + [(0, 0, b)]
    if kind == "plate":
        return [(x * a, y * b, 0) for x in (-1, 1) for y in (-1, 1)]
    if kind == "rod":
        return [(-a - b, 0, 0), (a + b, 0, 0)]
    return [tuple(rng.uniform(-0.2, 0.2) for _ in range(3)) for _ in range(rng.randint(1, 6))]


def inertia(rng, mass):
    while True:
        J = [rng.uniform(0.5, 1.5) for _ in range(3)]
        if 2 * max(J) < sum(J):
            return " ".join(str(0.01 * mass * j) for j in J)


def vector(rng, size):
    return " ".join(str(rng.uniform(-size, size)) for _ in range(3))


def body(rng):
    mass, slope, points = rng.uniform(0.3, 3), rng.choice([0, 0, rng.uniform(0, 0.3)]), feet(rng)
    grounds = ["floor", "wall"] if rng.random() < 0.3 else ["floor"]
    planes = {"floor": 'normal="0 0 1" offset="0 m"', "wall": 'normal="-1 0 0" offset="-0.5 m"'}
    lines = [f'<ground id="{g}"><shape kind="plane" {planes[g]}/></ground>' for g in grounds]
    lines.append(f'<body id="b" mass="{mass} kg" inertia="{inertia(rng, mass)} kg.m^2" position="0 0 {rng.uniform(0.4, 0.6)} m" '
                 f'rotation="{rng.uniform(0, 180)} deg about {vector(rng, 1)}" velocity="{vector(rng, 1)} m/s" '
                 f'angular-velocity="{vector(rng, 4)} rad/s">')
    lines += [f'<shape id="f{i}" kind="point" at="{x} {y} {z} m"/>' for i, (x, y, z) in enumerate(points)]
    lines.append("</body>")
    lines += [f'<contact id="{g}{i}" a="{g}" b="f{i}"/>' for i in range(len(points)) for g in grounds]
    return f"{G * math.sin(slope)} 0 {-G * math.cos(slope)}", lines


def chain(rng):
    n, damping = rng.randint(2, 8), rng.choice([0, 0.001, 0.01])
    length, lines, angle, height, lowest = 1 / n, [], 0, 0, 0
    for k in range(n):
        turn = rng.uniform(-20, 20)
        angle += math.radians(turn)
        height -= length * math.sin(angle)
        lowest = min(lowest, height)
        J = length**2 / n / 12
        lines.append(f'<body id="l{k}" mass="{1 / n} kg" com="{length / 2} 0 0 m" inertia="{0.01 * J} {J} {J} kg.m^2">'
                     f'<shape id="e{k}" kind="point" at="{length} 0 0 m"/></body>'
                     f'<joint id="j{k}" kind="revolute" axis="0 1 0" parent="{f"l{k - 1}" if k else "world"}" child="l{k}" '
                     f'at="{length if k else 0} 0 0 m" q0="{turn} deg" damping="{damping} N.m.s/rad"/>'
                     f'<contact id="c{k}" a="floor" b="e{k}"/>')
    offset = lowest - rng.uniform(0.05, 0.5)
    lines.insert(0, f'<ground id="floor"><shape kind="plane" normal="0 0 1" offset="{offset} m"/></ground>')
    return f"0 0 {-G}", lines


def link_joint(rng):
    """Kind and start of a joint of a spatial chain."""
    kind = rng.choice(("revolute", "revolute", "spherical", "spherical", "universal"))
    damping = rng.choice((0, 0, 0.001))
    words = f'damping="{damping} N.m.s/rad"' if damping > 0 else ""
    if kind == "spherical":
        return f'kind="spherical" rotation0="{rng.uniform(-60, 60)} deg about {vector(rng, 1)}" w0="{vector(rng, 2)} rad/s" {words}'
    if kind == "universal":
        return f'kind="universal" axis="0 1 0" axis2="0 0 1" {words}'
    return f'kind="revolute" axis="{vector(rng, 1)}" q0="{rng.uniform(-60, 60)} deg" w0="{rng.uniform(-2, 2)} rad/s" {words}'


def turned(angle, axis, v):
    """A vector turned about an axis [deg], by Rodrigues' formula."""
    norm = math.sqrt(sum(a * a for a in axis))
    k, c, s = [a / norm for a in axis], math.cos(math.radians(angle)), math.sin(math.radians(angle))
    along = (1 - c) * sum(a * b for a, b in zip(k, v))
    cross = (k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0])
    return [c * v[i] + s * cross[i] + along * k[i] for i in range(3)]


def numbers(words, attribute):
    found = re.search(rf'\b{attribute}="([^"]*)"', words)
    return [float(word) for word in re.findall(r"[-+.\de]*\d[-+.\de]*", found[1])] if found else []


def depth(lengths, joints):
    """How far a chain that starts from a pivot at the origin hangs below it, by its joints (link_joint())."""
    frame, place, lowest = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0], 0
    for length, words in zip(lengths, joints):
        angle, axis = numbers(words, "q0")[:1] or [0], numbers(words, "axis") or [0, 0, 1]
        if numbers(words, "rotation0"):
            angle, axis = numbers(words, "rotation0")[:1], numbers(words, "rotation0")[1:]
        world = [sum(frame[k][i] * axis[k] for k in range(3)) for i in range(3)]
        frame = [turned(angle[0], world, e) for e in frame]
        place = [place[i] + length * frame[0][i] for i in range(3)]
        lowest = max(lowest, -place[2])
    return lowest


def spatial_chain(rng):
    """Links on joints of all axes, from a pivot or free, each with points at its ends that meet a floor, some a wall too."""
    lengths, lines = [rng.uniform(0.1, 0.3) for _ in range(rng.randint(2, 5))], []
    reach = sum(lengths) + rng.uniform(0.02, 0.2)
    free, wall = rng.random() < 0.6, rng.random() < 0.3
    low = 0 if free else rng.uniform(0.3, 1) * reach
    joints = []
    if wall:
        lines.append(f'<ground id="wall"><shape kind="plane" normal="-1 0 0" offset="{-reach} m"/></ground>')
    for k, length in enumerate(lengths):
        mass = rng.uniform(0.2, 1.5)
        J = mass * length**2 / 12
        points = [0, length] if k == 0 and free else [length]
        place = f'position="0 0 {reach} m" rotation="{rng.uniform(0, 180)} deg about {vector(rng, 1)}" ' \
                f'velocity="{vector(rng, 1)} m/s" angular-velocity="{vector(rng, 3)} rad/s"' if k == 0 and free else ""
        lines.append(f'<body id="l{k}" mass="{mass} kg" com="{length / 2} 0 0 m" inertia="{0.2 * J} {J} {0.9 * J} kg.m^2" {place}>'
                     + "".join(f'<shape id="e{k}_{i}" kind="point" at="{x} 0 0 m"/>' for i, x in enumerate(points)) + "</body>")
        if k > 0 or not free:
            at = f"{before} 0 0" if k > 0 else "0 0 0"
            joints.append(link_joint(rng))
            lines.append(f'<joint id="j{k}" parent="{f"l{k - 1}" if k else "world"}" child="l{k}" at="{at} m" {joints[-1]}/>')
        for i in range(len(points)):
            lines += [f'<contact id="{g}{k}_{i}" a="{g}" b="e{k}_{i}"/>' for g in (["floor", "wall"] if wall else ["floor"])]
        before = length
    low = low if free else max(low, depth(lengths, joints) + CLEAR)
    lines.insert(0, f'<ground id="floor"><shape kind="plane" normal="0 0 1" offset="{-low} m"/></ground>')
    return f"0 0 {-G}", lines


def spatial_netlist(seed):
    rng = random.Random(seed + 3 * 10**9)
    words = law(rng)
    gravity, lines = spatial_chain(rng)
    return "\n".join([f'<screwbond version="1" id="chain-{seed}"><run t-end="2 s"/>', words,
                      f'<mechanism gravity="{gravity} m/s^2">', *lines, "</mechanism></screwbond>", ""])


def netlist(seed):
    rng = random.Random(seed)
    words = law(rng)
    gravity, lines = chain(rng) if seed % 3 == 2 else body(rng)
    return "\n".join([f'<screwbond version="1" id="rigid-{seed}"><run t-end="2 s"/>', words,
                      f'<mechanism gravity="{gravity} m/s^2">', *lines, "</mechanism></screwbond>", ""])
