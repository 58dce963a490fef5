# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of networks.py that tumble, fall, bounce, slide and roll, by shapes and contact laws of all kinds. Sizes follow
from a length, a mass and a time; gravity is length/time^2, and a body goes some percents of the length deep."""
import math


def number(x):
    return f"{x:.15g}"


class Scene:
    """Lines of a mechanism: bodies, materials and laws, with the sizes of mass, length and time."""

    def __init__(self, rng, n, time, size, mass, rest):
        self.rng, self.n, self.time, self.size, self.mass, self.rest = rng, n, time, size, mass, rest
        self.materials, self.laws, self.body = [], [], []
        self.gravity = f"0 0 {number(0 if rest else -size / time**2)} m/s^2"
        self.k = 3000 * mass / time**2  # [N/m]

    def vector(self, s):
        return " ".join("0" if self.rest else number(self.rng.uniform(-1, 1) * s) for _ in range(3))

    def some(self, s, low=0.5, high=1.0):
        return number(s * self.rng.uniform(low, high))


def stiffnesses(scene):
    k, L, rng = scene.k, scene.size, scene.rng
    words = f'spin-stiffness="{number(0.01 * k * L**2)} N.m/rad"'
    if rng.random() < 0.25:
        return (f'axes="body" stiffness="{number(k)} {scene.some(k)} {scene.some(k)} N/m" '
                f'stiffness-coupling="{number(0.1 * k)} {number(-0.2 * k)} {number(0.1 * k)} N/m" {words}')
    return f'stiffness="{number(k)} {number(k)} {number(1.3 * k)} N/m" {words}'


def dampings(scene, law):
    """B = damping-factor depth^exponent K with K in N/m is a damping for the exponent 1 only; that of other exponents is
    a damping of the pair, so that it depends on no unit of length."""
    return f'damping-factor="{number(0.2 * scene.time / scene.size)} s/m"' if law == "hunt-crossley" else ""


def linear(scene):
    b = 0.02 * scene.k * scene.time
    clamp = scene.rng.choice(("yes", "no"))
    return (f'{stiffnesses(scene)} damping="{number(b)} {number(b)} {number(1.3 * b)} N.s/m"',
            f'normal="linear" clamp="{clamp}"', True)


def hunt_crossley(scene):
    return stiffnesses(scene), f'normal="hunt-crossley" exponent="1" {dampings(scene, "hunt-crossley")}', True


def powers(scene):
    """Laws of depth^(3/2), with a damping of their own."""
    k, L = scene.k, scene.size
    normal = scene.rng.choice(("lee-wang", "azad-featherstone", "hunt-crossley", "gonthier", "flores",
                               "lankarani-nikravesh"))
    p = {"lee-wang": 1, "azad-featherstone": 0.5}.get(normal, 1.5)
    words = f'stiffness="{number(k / math.sqrt(L))}" '
    if normal in ("gonthier", "flores", "lankarani-nikravesh"):
        words += f'restitution="{number(scene.rng.uniform(0.7, 0.95))}" least-speed="{number(0.01 * L / scene.time)} m/s"'
    else:
        words += f'damping="{number(0.05 * k * scene.time / L**p)}"'
    if normal in ("hunt-crossley", "gonthier", "flores", "lankarani-nikravesh"):
        words += ' exponent="1.5"'
    return stiffnesses(scene), f'normal="{normal}" {words}', True


def hertz(scene):
    k, L, rng = scene.k, scene.size, scene.rng
    E = number(5 * k / L)
    more = rng.choice(("", 'tangential="mindlin"', 'stiffness-at="touch"'))
    moduli = f'youngs-modulus="{E} Pa" poisson-ratio="{number(rng.uniform(0.1, 0.45))}"'
    if rng.random() < 0.3:
        moduli = f'kind="{rng.choice(("steel", "lead", "rubber", "cork"))}" youngs-modulus="{E} Pa"'
    words = f'normal="hertz" damping-factor="{number(0.2 * scene.time / L)} s/m" {more}'
    if rng.random() < 0.4:
        words = (f'normal="{rng.choice(("gonthier", "flores", "lankarani-nikravesh"))}" stiffness-from="curvature" '
                 f'restitution="{number(rng.uniform(0.7, 0.95))}" least-speed="{number(0.01 * L / scene.time)} m/s"')
    return (f'stiffness="{number(k)} {number(k)} 0 N/m" spin-stiffness="{number(0.01 * k * L**2)} N.m/rad" {moduli}',
            words, True)


def expressed(scene):
    """V = A (cosh(z/l) - 1), a damper that is not linear in either of its arguments."""
    k, l = scene.k, scene.some(0.2 * scene.size)
    A = f"{number(k * float(l)**2)}[J]"
    c = number(scene.rng.uniform(0.1, 0.5) * scene.time / scene.size)
    return (stiffnesses(scene), f'normal="expression" energy="{A}*(cosh(z/{l}[m]) - 1)" '
            f'damping-force="{A}/{l}[m]*sinh(z/{l}[m])*{c}[s/m]*zd*(1 + 0.5*{c}[s/m]*abs(zd))"', True)


def potential(scene):
    k, L, rng = scene.k, scene.size, scene.rng
    z, r = f"(z/{number(L)}[m])", f"(r/{number(L)}[m])"
    if rng.random() < 0.5:
        sideways = f"{number(rng.uniform(0.2, 0.6))}*{r}^2*(1 + 3*{z})"
        axis = ""
    else:
        x, y = (f"({s}/{number(L)}[m])" for s in "xy")
        sideways = f"(0.3*{x}^2 + 0.5*{y}^2 + 0.1*{x}*{y} + 2*{x}^4)*(1 + 2*{z})"
        axis = f' axis="{scene.some(1)} {scene.some(1)} {scene.some(0.1)}"'
    return (f'stiffness="0 0 {number(k)} N/m"',
            f'normal="potential"{axis} energy="{number(k * L**2)}[J]*(0.5*{z}^2 + {sideways} + 0.005*(1 - cos(theta)))"', False)


LAWS = (linear, hunt_crossley, powers, hertz, expressed, potential)


def viscous(scene):
    return f'friction="viscous" sigma2="{scene.some(scene.mass / scene.time)} N.s/m"'


def surfaces(scene):
    """mu and the speed of Stribeck's curve, and mu itself."""
    mu, rng = scene.rng.uniform(0.1, 0.6), scene.rng
    return (f'mu-kinetic="{number(mu)}" mu-static="{number(mu * rng.uniform(1, 1.5))}" '
            f'v-stribeck="{number(0.05 * scene.size / scene.time)} m/s" '
            f'sigma2="{number(rng.choice((0, 0.1)) * scene.mass / scene.time)} N.s/m"', mu)


def stribeck(scene):
    return f'friction="stribeck" {surfaces(scene)[0]}'


def bristles(scene):
    """kappa = v_S sigma1/(mu f_n) is 1/2 at 200 times the weight: they give no power."""
    words, mu = surfaces(scene)
    rng = scene.rng
    return (f'friction="bristle-dwell" {words} sigma0="{number(scene.k)} N/m" '
            f'sigma1="{number(2000 * mu * scene.mass / scene.time)} N.s/m" '
            f'tau-dwell="{scene.some(scene.time)} s" dwell-at-touch="{number(rng.choice((0, 1, 0.4)))}"')


def turning(scene):
    """Resistance to rolling and spinning."""
    rng, L = scene.rng, scene.size
    c = 0.01 * scene.mass * L**2 / scene.time
    return (f'rolling-friction="{scene.some(0.01 * L)} m" spin-friction="{scene.some(0.01 * L)} m" '
            f'rolling-viscous="{number(rng.choice((0, c)))} N.m.s/rad" spin-viscous="{number(rng.choice((0, c)))} N.m.s/rad" '
            f'turning-speed="{number(0.05 / scene.time)} rad/s"')


def coulomb(scene):
    """As long as its springs take to swing; the patch bears a moment."""
    rng = scene.rng
    mu = rng.uniform(0.1, 0.6)
    more = f'mu-static="{number(mu * rng.uniform(1, 1.5))}" ' if rng.random() < 0.5 else ""
    return (f'friction="coulomb" mu="{number(mu)}" {more}friction-radius="{number(0.05 * scene.size)} m" '
            f'friction-damping="{number(rng.uniform(0.005, 0.03) * scene.time)} s"')


FRICTIONS = (coulomb, coulomb, viscous, stribeck, bristles)


def sphere(scene):
    r = scene.size * scene.rng.uniform(0.5, 1)
    return f'kind="sphere" radius="{number(r)} m"', r


def ellipsoid(scene):
    a = [scene.size * scene.rng.uniform(0.5, 1) for _ in range(3)]
    return f'kind="ellipsoid" semi-axes="{" ".join(map(number, a))} m"', max(a)


def superellipsoid(scene):
    a = [scene.size * scene.rng.uniform(0.5, 1) for _ in range(3)]
    p = number(scene.rng.uniform(2.2, 3))
    return f'kind="superellipsoid" exponent="{p}" semi-axes="{" ".join(map(number, a))} m"', 1.3 * max(a)


def capsule(scene):
    r, more = (scene.size * scene.rng.uniform(0.3, 0.6) for _ in range(2))
    return f'kind="capsule" radius="{number(r)} m" length="{number(2 * r + more)} m"', r + more / 2


def box(scene):
    a = [scene.size * scene.rng.uniform(0.8, 1.4) for _ in range(3)]
    edge = number(0.2 * min(a))
    return f'kind="box" size="{" ".join(map(number, a))} m" edge-radius="{edge} m"', 0.5 * math.hypot(*a)


def cylinder(scene):
    r, length = scene.size * scene.rng.uniform(0.4, 0.7), scene.size * scene.rng.uniform(0.6, 1.4)
    edge = number(0.4 * min(r, 0.5 * length))
    return (f'kind="cylinder" radius="{number(r)} m" length="{number(length)} m" edge-radius="{edge} m"',
            math.hypot(r, 0.5 * length))


def torus(scene):
    r = scene.size * scene.rng.uniform(0.4, 0.6)
    return f'kind="torus" radius="{number(r)} m" tube-radius="{number(0.4 * r)} m"', 1.4 * r


SMOOTH = (sphere, ellipsoid)
CONVEX = (sphere, ellipsoid, superellipsoid, capsule, box, cylinder)


def add_body(scene, ident, shapes, mass, place, speed):
    """With all shapes of a list (attributes, where it sits)."""
    rng, n = scene.rng, scene.n
    m, L = scene.mass * mass, scene.size
    moments = " ".join(number(m * L**2 * x) for x in (0.2, 0.23, 0.25))
    text = "".join(f'<shape id="{ident}{k}{n}" {words} at="{at}"/>' for k, (words, at) in enumerate(shapes))
    axis = " ".join(number(rng.uniform(-1, 1)) for _ in range(3))
    scene.body.append(
        f'<body id="{ident}{n}" mass="{number(m)} kg" inertia="{moments} kg.m^2" material="soft{n}" position="{place} m" '
        f'rotation="{number(rng.uniform(20, 70))} deg about {axis}" velocity="{speed} m/s" gravity="{scene.gravity}" '
        f'angular-velocity="{scene.vector(2 / scene.time)} rad/s">{text}</body>')


def ground(scene, words):
    n = scene.n
    scene.body.append(f'<ground id="floor{n}" material="soft{n}"><shape {words}/></ground>')


def contact(scene, a, b):
    n = scene.n
    scene.body.append(f'<contact a="{a}{n}" b="{b}{n}" law="law{n}"/>')


def hollow(scene):
    """A ball in a tube, a bowl or a ring."""
    L, rng = scene.size, scene.rng
    words, drop = rng.choice(((f'kind="tube" radius="{number(2 * L)} m" rotation="80 deg about 1 0.2 0"', 0),
                              (f'kind="bowl" semi-axes="{number(3 * L)} {number(2.5 * L)} {number(2 * L)} m"', 0),
                              (f'kind="hollow-torus" radius="{number(4 * L)} m" tube-radius="{number(2 * L)} m"', 4 * L)))
    ground(scene, words)
    add_body(scene, "B", [(sphere(scene)[0], "0 0 0 m")], 1, f"{number(drop)} 0 {number(-0.3 * L)}",
             scene.vector(L / scene.time))
    contact(scene, "floor", "B")


def high(scene, reach):
    return number(1.05 * reach if scene.rest else reach + scene.size * scene.rng.uniform(0.1, 0.8))


def pile(scene, kinds):
    """A body falls on a floor, and another one on it."""
    L, T, rng = scene.size, scene.time, scene.rng
    ground(scene, 'kind="plane" normal="0 0 1" offset="0 m"')
    words, reach = rng.choice(kinds)(scene)
    add_body(scene, "B", [(words, "0 0 0 m")], 1, f"0 0 {high(scene, reach)}", scene.vector(0.5 * L / T))
    contact(scene, "floor", "B")
    if "torus" not in words and rng.random() < 0.5:
        words, more = rng.choice([kind for kind in kinds if kind is not torus])(scene)
        fall = "0 0 0" if scene.rest else f"0 0 {number(-0.5 * L / T)}"
        add_body(scene, "A", [(words, "0 0 0 m")], 0.7,
                 f"{number(0.1 * L)} 0 {number(2 * reach + 1.05 * more + 0.9 * L)}", fall)
        contact(scene, "B", "A")
        contact(scene, "floor", "A")


def dumbbell(scene):
    """Two or three shapes of one body."""
    L, T, rng = scene.size, scene.time, scene.rng
    ground(scene, 'kind="plane" normal="0 0 1" offset="0 m"')
    shapes, reach = [], 0
    for k in range(rng.randrange(2, 4)):
        words, own = rng.choice(SMOOTH)(scene)
        at = [L * rng.uniform(0.4, 0.8) * s for s in ((1, 0, 0), (-1, 0, 0), (0, 1, 0))[k]]
        shapes.append((words, " ".join(map(number, at)) + " m"))
        reach = max(reach, own + math.hypot(*at))
    add_body(scene, "B", shapes, 1, f"0 0 {high(scene, reach)}", scene.vector(0.5 * L / T))
    contact(scene, "floor", "B")


def top(scene):
    """A body that touches nothing."""
    moments = " ".join(number(scene.mass * scene.size**2 * x) for x in (0.1, 0.2, 0.25))
    scene.body.append(f'<body id="top{scene.n}" mass="{number(scene.mass)} kg" inertia="{moments} kg.m^2" '
                      f'position="{number(90 * scene.size)} 0 0 m" angular-velocity="{scene.vector(3 / scene.time)} rad/s"/>')


def add_scene(scene):
    """One material, one law, and bodies of a kind."""
    rng, n = scene.rng, scene.n
    law = rng.choice(LAWS)
    material, words, slips = law(scene)
    if slips and rng.random() < 0.6:  # laws of the velocity take no tangential springs, nor axes of the body
        springs = "axes=" in material or "mindlin" in words
        words += f" {(coulomb if springs else rng.choice(FRICTIONS))(scene)}"
    words += f" {turning(scene)}" if slips and rng.random() < 0.3 else ""
    scene.materials.append(f'<material id="soft{n}" {material}/>')
    scene.laws.append(f'<contact-law id="law{n}" {words}/>')
    x = rng.randrange(6)
    if x == 0:
        hollow(scene)
    elif x == 1:
        dumbbell(scene)
    elif x < 4 or law is hertz:  # curvatures that are finite
        pile(scene, SMOOTH)
    else:
        pile(scene, CONVEX + (torus,))
    if rng.random() < 0.5:
        top(scene)


def chapters(scenes):
    """<materials>, <laws> and <mechanism> of all scenes."""
    inside = lambda name, lines: f"<{name}>" + "\n".join(lines) + f"</{name}>"
    return [inside(name, [line for scene in scenes for line in getattr(scene, name if name != "mechanism" else "body")])
            for name in ("materials", "laws", "mechanism")] if scenes else []
