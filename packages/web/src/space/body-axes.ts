/** How bodies are turned at a time. */
import { cross, dot, fill, normalize, vector, type Vector } from '@orrery/page-kit'

/** Unit axes of a body: through its prime meridian, 90° east of it, and its north pole. */
export interface BodyAxes {
  readonly meridian: Vector
  readonly east: Vector
  readonly pole: Vector
}

/**
 * Prime meridian at J2000.0 [degrees] and its rate [degrees per day], from the node of the equator
 * on that of the ICRF.
 *
 * @source IAU WGCCRE 2015 (Archinal et al. 2018), tables 1 and 2; Earth: the Earth rotation angle
 *   of IERS Conventions 2010, 5.15, less 64.2 s, by which UT1 follows TDB at J2000.0
 */
const MERIDIANS: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  Sun: [84.176, 14.1844],
  Mercury: [329.5988, 6.1385108],
  Venus: [160.2, -1.4813688],
  Earth: [190.192375, 360.985612288],
  Mars: [176.049863, 350.891982443297],
  Ceres: [170.65, 952.1532],
  Vesta: [285.39, 1617.3329428],
  Jupiter: [284.95, 870.536],
  Saturn: [38.9, 810.7939024],
  Uranus: [203.81, -501.1600928],
  Neptune: [249.978, 541.1397757],
  Pluto: [302.695, 56.3625225],
}

/** 2000-01-01T12:00:00 TDB, by 0.1 s [Unix ms]. */
const J2000_MS = 946_727_935_800

const DAY_MS = 86_400_000

/** How fast a body of the table turns about its pole [rad/s]; undefined for others. */
export function spinRate(name: string): number | undefined {
  const degreesPerDay = MERIDIANS[name]?.[1]
  return degreesPerDay && (degreesPerDay * Math.PI * 1000) / (180 * DAY_MS)
}

const NORTH = vector(0, 0, 1)
const node = vector()

/**
 * Writes the axes of a body. One that the table does not name keeps its meridian to its parent, as
 * nearly all moons do.
 *
 * @param pole  unit vector, ICRF axes
 * @param toParent  [m]
 */
export function bodyAxes(
  out: BodyAxes,
  { name, pole, toParent }: { name: string; pole: Vector; toParent: Vector },
  gameTimeMs: number,
): void {
  const { meridian, east } = out
  fill(out.pole, pole[0], pole[1], pole[2])
  const known = MERIDIANS[name]
  if (known) {
    cross(node, NORTH, pole)
    // The node of an equator that is the ICRF's own is at right ascension 90°, as of all others.
    if (dot(node, node) < 1e-12) fill(node, 0, 1, 0)
    normalize(node, node)
    cross(east, pole, node)
    const [start, rate] = known
    const angle = (((start + (rate * (gameTimeMs - J2000_MS)) / DAY_MS) % 360) * Math.PI) / 180
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    for (let k = 0; k < 3; k++) meridian[k] = c * node[k] + s * east[k]
  } else {
    const along = dot(toParent, pole)
    for (let k = 0; k < 3; k++) meridian[k] = toParent[k] - along * pole[k]
    normalize(meridian, meridian)
  }
  cross(east, pole, meridian)
}
