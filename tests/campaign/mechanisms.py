# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on joints of networks.py: trees of all joints with springs, dampers, stops and locks, whose last body meets a
floor, and loops of four bars. Sizes are those of a scene of contacts.py."""
import contacts
from contacts import number


def direction(rng):
    return " ".join(number(rng.uniform(-1, 1)) for _ in range(3))


def spring(scene, unit, share):
    """Stiffness and damping of a coordinate in its units, softer than a contact."""
    rng, m, L, T = scene.rng, scene.mass, scene.size, scene.time
    k = share * m / T**2 * (L**2 if unit == "rad" else 1)
    words = {"rad": ("N.m/rad", "N.m.s/rad"), "m": ("N/m", "N.s/m")}[unit]
    text = f'stiffness="{scene.some(k)} {words[0]}"'
    return text + (f' damping="{number(0.05 * k * T)} {words[1]}"' if rng.random() < 0.5 else "")


def start(scene, unit, size):
    """One coordinate and its rate."""
    angle = unit == "rad"
    q = 0 if scene.rest else scene.rng.uniform(-1, 1) * size
    w = 0 if scene.rest else scene.rng.uniform(-1, 1) * size / scene.time
    return f'q0="{number(q)} {unit}" w0="{number(w)} {"rad/s" if angle else "m/s"}"'


def revolute(scene):
    rng, k = scene.rng, 30 * scene.mass * scene.size**2 / scene.time**2
    words = f'kind="revolute" axis="{direction(rng)}" {start(scene, "rad", 1)}'
    x = rng.randrange(5)
    if x == 0:
        words += f" {spring(scene, 'rad', 30)}"
    elif x == 1:
        words += f' limits="-70 80 deg" restitution="{rng.uniform(0.2, 0.9):.3f}"'
    elif x == 2:
        words += f' limits="-70 80 deg" limit-stiffness="{number(50 * k)} N.m/rad" limit-damping="{number(0.1 * scene.time)} s/rad"'
    return words


def prismatic(scene):
    return f'kind="prismatic" axis="{direction(scene.rng)}" {start(scene, "m", 0.2 * scene.size)} {spring(scene, "m", 60)}'


def helical(scene):
    pitch = scene.rng.uniform(-0.3, 0.3) * scene.size
    return f'kind="helical" axis="{direction(scene.rng)}" pitch="{number(pitch)} m/rad" {start(scene, "rad", 1)}'


def universal(scene):
    return 'kind="universal" axis="1 0 0" axis2="0 1 0"'


def spherical(scene):
    turn = number(0 if scene.rest else scene.rng.uniform(-60, 60))
    return f'kind="spherical" rotation0="{turn} deg about {direction(scene.rng)}" w0="{scene.vector(1 / scene.time)} rad/s"'


def cylindrical(scene):
    k = 60 * scene.mass / scene.time**2
    return f'kind="cylindrical" axis="{direction(scene.rng)}" slide-stiffness="{number(k)} N/m"'


def fixed(scene):
    return f'kind="fixed" rotation="{number(scene.rng.uniform(-90, 90))} deg about {direction(scene.rng)}"'


def locked(scene):
    return f'kind="revolute" axis="{direction(scene.rng)}" q0="{number(scene.rng.uniform(-60, 60))} deg" locked="yes"'


JOINTS = (revolute, revolute, prismatic, helical, universal, spherical, cylindrical)


def add_link(scene, ident, mass, words=""):
    n, m, L = scene.n, scene.mass * mass, scene.size
    moments = " ".join(number(m * L**2 * x) for x in (0.1, 0.13, 0.15))
    centre = " ".join(number(0.1 * L * scene.rng.uniform(-1, 1)) for _ in range(3))
    scene.body.append(f'<body id="{ident}{n}" mass="{number(m)} kg" inertia="{moments} kg.m^2" com="{centre} m" '
                      f'gravity="{scene.gravity}" material="soft{n}">{words}</body>')


def add_joint(scene, ident, parent, child, words, at, child_at="0 0 0"):
    n = scene.n
    scene.body.append(f'<joint id="{ident}{n}" parent="{parent}" child="{child}{n}" at="{at} m" child-at="{child_at} m" {words}/>')


def tree(scene):
    """Two to four bodies in a chain or with branches; the last one meets the floor."""
    rng, n, L = scene.rng, scene.n, scene.size
    contacts.ground(scene, 'kind="plane" normal="0 0 1" offset="0 m"')
    count = rng.randrange(2, 5)
    for k in range(count):
        words, reach = rng.choice(contacts.SMOOTH)(scene)
        add_link(scene, f"T{k}_", rng.uniform(0.5, 1.5), f'<shape {words}/>' if k == count - 1 else "")
        parent = "world" if k == 0 else f"T{rng.choice((k - 1, k - 1, rng.randrange(k)))}_{n}"
        kind = rng.choice(JOINTS if k == 0 else JOINTS + (fixed, locked))
        at = f"0 0 {number(0.8 * count * L + 1.5 * L)}" if k == 0 else scene_point(scene, 0.5)
        add_joint(scene, f"j{k}_", parent, f"T{k}_", kind(scene), at, scene_point(scene, 0.5))
    contacts.contact(scene, "floor", f"T{count - 1}_")


def scene_point(scene, share):
    return " ".join(number(share * scene.size * scene.rng.uniform(-1, 1)) for _ in range(3))


def four_bar(scene):
    """Crank, coupler and rocker of Grashof's kind: the crank goes round. Its axes are parallel, as it is planar."""
    rng, L, n = scene.rng, scene.size, scene.n
    crank, coupler, rocker = 0.6 * L, 2 * L * rng.uniform(0.9, 1.1), 1.6 * L * rng.uniform(0.9, 1.1)
    for ident in ("crank", "coupler", "rocker"):
        add_link(scene, ident, rng.uniform(0.5, 1.5))
    rate = number(0 if scene.rest else rng.uniform(2, 5) / scene.time)
    turn = 'kind="revolute" axis="0 1 0"'
    along = lambda length: f"{number(length)} 0 0"
    add_joint(scene, "A", "world", "crank", f'{turn} q0="{number(rng.uniform(-3, 3))} rad" w0="{rate} rad/s"', "0 0 0")
    add_joint(scene, "B", f"crank{n}", "coupler", turn, along(crank))
    add_joint(scene, "D", "world", "rocker", f'{turn} damping="{number(0.1 * scene.mass * L**2 / scene.time)} N.m.s/rad"', along(2 * L))
    add_joint(scene, "C", f"coupler{n}", "rocker", f'{turn} cut="yes"', along(coupler), along(rocker))


def add_mechanism(scene):
    """One material, one law, and a tree or a loop."""
    law = scene.rng.choice((contacts.linear, contacts.hunt_crossley, contacts.powers))
    material, words, _ = law(scene)
    if "axes=" not in material and scene.rng.random() < 0.5:
        words += f" {contacts.coulomb(scene)}"
    scene.materials.append(f'<material id="soft{scene.n}" {material}/>')
    scene.laws.append(f'<contact-law id="law{scene.n}" {words}/>')
    (four_bar if scene.rng.random() < 0.25 else tree)(scene)
