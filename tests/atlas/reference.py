# SPDX-License-Identifier: GPL-3.0-or-later
"""What the atlas compares with: closed forms and plain Runge-Kutta integrations that share no code with screwbond.
Vectors are lists of floats, in SI units."""
import math


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a, b, s=1.0):
    """a + s b"""
    return [x + s * y for x, y in zip(a, b)]


def unit(a):
    size = math.sqrt(dot(a, a))
    return [x / size for x in a]


def times(matrix, v):
    return [dot(row, v) for row in matrix]


def solve3(A, b):
    """A x = b by Cramer's rule."""
    columns = list(zip(*A))
    volume = dot(columns[0], cross(columns[1], columns[2]))
    return [dot(b, cross(columns[1], columns[2])) / volume, dot(columns[0], cross(b, columns[2])) / volume,
            dot(columns[0], cross(columns[1], b)) / volume]


def to_matrix(q):
    """The rotation of a unit quaternion w x y z, body axes to world axes, as rows."""
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def turn(angle, axis):
    """The unit quaternion of a turn [rad] about an axis."""
    n = unit(axis)
    return [math.cos(angle / 2)] + [math.sin(angle / 2) * x for x in n]


def rk4(rate, t, x, h):
    """One step of the classical method of Runge and Kutta."""
    a = rate(t, x)
    b = rate(t + h / 2, [p + h / 2 * q for p, q in zip(x, a)])
    c = rate(t + h / 2, [p + h / 2 * q for p, q in zip(x, b)])
    d = rate(t + h, [p + h * q for p, q in zip(x, c)])
    return [p + h / 6 * (q + 2 * r + 2 * s + u) for p, q, r, s, u in zip(x, a, b, c, d)]


def root_in_step(rate, t, x, h, sign):
    """The part of the step h after which sign(x) is zero, by the secant method with bracket (Illinois)."""
    low, high, f_low, f_high = 0.0, h, sign(x), sign(rk4(rate, t, x, h))
    for _ in range(100):
        part = (low * f_high - high * f_low) / (f_high - f_low)
        f = sign(rk4(rate, t, x, part))
        if abs(f) < 1e-15 or high - low < 1e-13 * h:
            break
        if (f > 0) == (f_high > 0):
            high, f_high, f_low = part, f, f_low / 2
        else:
            low, f_low, f_high = part, f, f_high / 2
    return part


def elliptic(m):
    """Complete elliptic integrals K(m) and E(m) by the arithmetic-geometric mean."""
    a, b, lost, weight = 1.0, math.sqrt(1 - m), m / 2, 1.0
    while abs(a - b) > 1e-15 * a:
        lost += weight * ((a - b) / 2) ** 2
        a, b, weight = (a + b) / 2, math.sqrt(a * b), 2 * weight
    K = math.pi / (2 * a)
    return K, K * (1 - lost)


def bisect(f, low, high):
    """The zero of f, which is below zero at `low` and above at `high`."""
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        low, high = (middle, high) if f(middle) < 0 else (low, middle)


def rattleback(tilt, spin, end, h=2e-4):
    """An ellipsoid that rolls on a plane without slip and without yielding: dw/dt from the moment of momentum about the
    point of contact, in body axes, with r from the centre of mass to that point and u the vertical:
      (J + m (r^2 1 - r r^T)) dw/dt = -w x J w + m r x (r' x w + w x (r x w) + g u),   u' = u x w.
    tilt: unit quaternion at the start; spin [rad/s] about the body's z. Returns [(t, that spin)] and the times when it
    is zero."""
    mass, g, low = 1.0, 9.81, 0.01
    J = [[2e-4, -2e-5, 0.0], [-2e-5, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]]
    squares = [0.2 ** 2, 0.03 ** 2, 0.02 ** 2]

    def lever(u):
        size = math.sqrt(sum(s * x * x for s, x in zip(squares, u)))
        return [-s * x / size for s, x in zip(squares, u)], size

    def rate(_, x):
        w, u = x[:3], x[3:]
        p, size = lever(u)
        r = add(p, [0, 0, low])
        du = cross(u, w)
        dsize = sum(s * a * b for s, a, b in zip(squares, u, du)) / size
        dr = [-s * b / size - q * dsize / size for s, b, q in zip(squares, du, p)]
        inner = add(add(cross(dr, w), cross(w, cross(r, w))), u, g)
        moment = add([-y for y in cross(w, times(J, w))], cross(r, inner), mass)
        A = [[J[i][j] + mass * ((dot(r, r) if i == j else 0) - r[i] * r[j]) for j in range(3)] for i in range(3)]
        return solve3(A, moment) + du

    up = list(to_matrix(tilt)[2])
    x, t, curve, reversals = [0.0, 0.0, spin] + up, 0.0, [], []
    for i in range(round(end / h)):
        if i % 50 == 0:
            curve.append((t, x[2]))
        after = rk4(rate, t, x, h)
        if x[2] * after[2] < 0:
            reversals.append(t + root_in_step(rate, t, x, h, lambda y: y[2]))
        x, t = after, (i + 1) * h
    return curve, reversals
