// Goal: the stars and planets of Alpha Centauri are where observers see them. Method: A and B
// across the sky against the Sixth Catalog of Orbits of Visual Binary Stars and one measurement
// by ALMA; Proxima's osculating orbit against Kervella et al. 2017; its planets' conjunctions
// against the ephemeris of Suárez Mascareño et al. 2025.
import { STAR_SYSTEMS } from '@orrery/catalog'
import { describe, expect, test } from 'vitest'
import { ephemerisAround, motionAt, passage, quantaFromJd } from './sky.ts'

const alphaCentauri = STAR_SYSTEMS.find(({ system }) => system.id === 'alpha-centauri')!
const [a, b, proxima] = alphaCentauri.system.bodies

const DEGREE = Math.PI / 180
const AU = 149597870700

/** Of the pair, as in the data file. */
const RIGHT_ASCENSION = 219.85892215 * DEGREE
const DECLINATION = -60.83163195 * DEGREE
const PARALLAX = 0.75081 // [arcsec]

const jdOfYear = (year: number): number => 2451545 + (year - 2000) * 365.25

/** B from A across the sky: separation [arcsec] and position angle from north to east [deg]. */
function pair(year: number): { separation: number; angle: number } {
  const date = quantaFromJd(jdOfYear(year))
  const { r } = motionAt(ephemerisAround(alphaCentauri, date), 1, 0, date)
  const [sa, ca] = [Math.sin(RIGHT_ASCENSION), Math.cos(RIGHT_ASCENSION)]
  const [sd, cd] = [Math.sin(DECLINATION), Math.cos(DECLINATION)]
  const north = -sd * ca * r[0] - sd * sa * r[1] + cd * r[2]
  const east = -sa * r[0] + ca * r[1]
  return {
    separation: (Math.hypot(north, east) / AU) * PARALLAX,
    angle: (Math.atan2(east, north) / DEGREE + 360) % 360,
  }
}

describe('A and B', () => {
  test('stand where ALMA saw them at 2019.6505', () => {
    // Akeson et al. 2021, table 6.
    const { separation, angle } = pair(2019.6505)
    expect(Math.abs(separation - 5.27869)).toBeLessThan(0.001)
    expect(Math.abs(angle - 343.7729)).toBeLessThan(0.02)
  })

  test('follow the ephemeris of the orbit catalogue, 2025 to 2029', () => {
    // WDS 14396-6050 in orb6ephem.txt, rounded to 0.1° and 0.001"; its angles count from the
    // pole of date, 0.0073° a year.
    const published = [
      [2025, 9.2, 8.737],
      [2026, 11.9, 9.294],
      [2027, 14.3, 9.765],
      [2028, 16.5, 10.121],
      [2029, 18.6, 10.329],
    ]
    for (const [year, angle, separation] of published) {
      const own = pair(year)
      expect(Math.abs(own.separation - separation)).toBeLessThan(0.0006)
      expect(Math.abs(own.angle - 0.0073 * (year - 2000) - angle)).toBeLessThan(0.05)
    }
  })
})

describe('Proxima', () => {
  test('goes round the pair on the orbit that its place and velocity give', () => {
    const date = quantaFromJd(jdOfYear(2016))
    const ephemeris = ephemerisAround(alphaCentauri, date)
    const [motionA, motionB, motionC] = [0, 1, 2].map((i) => motionAt(ephemeris, i, -1, date))
    const share = b.gm / (a.gm + b.gm)
    const relative = (key: 'r' | 'v'): number[] =>
      [0, 1, 2].map(
        (k) => motionC[key][k] - motionA[key][k] - share * (motionB[key][k] - motionA[key][k]),
      )
    const [r, v] = [relative('r'), relative('v')]
    const gm = a.gm + b.gm + proxima.gm
    const distance = Math.hypot(...r)
    const size = 1 / (2 / distance - Math.hypot(...v) ** 2 / gm)
    const along = r.reduce((sum, value, k) => sum + value * v[k], 0)
    const momentum2 = distance ** 2 * Math.hypot(...v) ** 2 - along ** 2
    const eccentricity = Math.sqrt(1 - momentum2 / gm / size)
    // With an older parallax of the pair, 0.5% smaller, they found 12,947 ± 260 au away now,
    // e = 0.50 (+0.08 −0.09), a = 8,700 (+700 −400) au; the newer one brings Proxima nearer.
    expect(distance / AU).toBeGreaterThan(11_900)
    expect(distance / AU).toBeLessThan(12_200)
    expect(eccentricity).toBeGreaterThan(0.41)
    expect(eccentricity).toBeLessThan(0.58)
    expect(size / AU).toBeGreaterThan(7900)
    expect(size / AU).toBeLessThan(9400)
  })

  test('has planets that pass when and as often as published', () => {
    // Time of conjunction and period with their errors [d].
    const published = [
      { name: 'Proxima b', passed: 2460548.59, period: 11.18465, error: 0.00053 },
      { name: 'Proxima d', passed: 2460557.55, period: 5.12338, error: 0.00035 },
    ]
    for (const { name, passed, period, error } of published) {
      expect(Math.abs(passage(alphaCentauri, name, passed))).toBeLessThan(60)
      for (const round of [-200, 200]) {
        const late = passage(alphaCentauri, name, passed + round * period)
        expect(Math.abs(late / round / 86400)).toBeLessThan(error)
      }
    }
  })
})
