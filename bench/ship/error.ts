/**
 * Error against step in the two-body field, about a sphere and about an oblate Earth: one
 * revolution by every method that ships can fly with, at fixed steps, and by the step rule.
 * About a sphere the orbit has to close; what it misses by at the shortest steps is the last bit
 * of the velocity it began with.
 */
import {
  type Flight,
  LEAPFROG,
  type Method,
  type Oblateness,
  SRKN11B,
  SRKN6B,
  advanceChunk,
} from '@orrery/sim'
import {
  type TestOrbit,
  arrive,
  energyOf,
  launchOn,
  orbitalPeriod,
  relativeChange,
  stepAlone,
} from '@orrery/sim/testing/orbits'
import { OBLATENESS, RADIUS, twoBodyFlight } from '@orrery/sim/testing/two-body-field'
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'

const METHODS: readonly Method[] = [LEAPFROG, SRKN6B, SRKN11B]
const STEPS = [1, 4, 16, 32, 64]

/** Step of the reference run where no formula exists [s]. */
const CONVERGED = 0.5

const inclined = (eccentricity: number): TestOrbit => ({
  perigee: RADIUS + 4e5,
  eccentricity,
  inclination: (51.6 / 180) * Math.PI,
})

const ORBITS: readonly (readonly [name: string, orbit: TestOrbit])[] = [
  ['circular 400 km', inclined(0)],
  ['e = 0.3', inclined(0.3)],
  ['GTO', inclined(0.73)],
]

const FIELDS: readonly (readonly [name: string, oblateness: Oblateness | undefined])[] = [
  ['', undefined],
  [', J2', OBLATENESS],
]

/** One revolution. */
interface Revolution {
  /** greatest |E − E0| / |E0| at step ends; E with the potential of J2 */
  readonly energyError: number
  /** after exactly one period of the orbit about a sphere [m] */
  readonly place: readonly number[]
  readonly evaluations: number
}

export function errorRows(): Row[] {
  return FIELDS.flatMap(([field, oblateness]) =>
    ORBITS.flatMap(([name, orbit]) => {
      progress.at(`${name}${field}`)
      const truth = oblateness
        ? stepped(orbit, oblateness, SRKN11B, CONVERGED).place
        : startOf(orbit)
      const rows = (way: string, revolution: Revolution): Row[] =>
        rowsOf(`${way}, ${name}${field}`, revolution, truth)
      return [
        ...METHODS.flatMap((method) =>
          STEPS.flatMap((h) =>
            rows(`${method.name} ${h} s`, stepped(orbit, oblateness, method, h)),
          ),
        ),
        ...rows('step-rule', ruled(orbit, oblateness)),
      ]
    }),
  )
}

function rowsOf(name: string, revolution: Revolution, truth: readonly number[]): Row[] {
  const { energyError, place, evaluations } = revolution
  const miss = Math.hypot(...place.map((x, axis) => x - truth[axis]))
  return [
    { case: name, metric: 'energy_error', value: energyError, unit: '|dE/E|' },
    { case: name, metric: 'position_error', value: miss, unit: 'm' },
    { case: name, metric: 'force_evaluations', value: evaluations, unit: '1/revolution' },
  ]
}

function startOf(orbit: TestOrbit): number[] {
  const flight = twoBodyFlight(128)
  launchOn(flight, 0, orbit)
  return [...flight.state.ships.position.subarray(0, 3)]
}

/** A revolution in steps of h seconds, the last one shorter. */
function stepped(
  orbit: TestOrbit,
  oblateness: Oblateness | undefined,
  method: Method,
  h: number,
): Revolution {
  return revolution(
    orbit,
    oblateness,
    (flight, end) => {
      const { ships } = flight.state
      const n = ships.stepStart[0]
      const quanta = 64 * h
      if (n + quanta > end) return 0
      stepAlone(flight, 0, method, n, quanta)
      arrive(ships, 0)
      ships.stepStart[0] = n + quanta
      return method.evaluations
    },
    method,
  )
}

/** A revolution as the game flies it, its last step cut short. */
function ruled(orbit: TestOrbit, oblateness: Oblateness | undefined): Revolution {
  return revolution(
    orbit,
    oblateness,
    (flight, end) => {
      const { ships } = flight.state
      if (ships.stepEnd[0] > end) return 0
      advanceChunk(flight, 0, ships.stepEnd[0])
      return SRKN11B.evaluations
    },
    SRKN11B,
  )
}

/**
 * @param step  makes the next whole step that ends by `end`, and returns what it cost in
 *   evaluations; 0 when no step is left
 * @param last  method of the step that remains
 */
function revolution(
  orbit: TestOrbit,
  oblateness: Oblateness | undefined,
  step: (flight: Flight, end: number) => number,
  last: Method,
): Revolution {
  const period = orbitalPeriod(orbit)
  const end = 64 * period
  const flight = twoBodyFlight(period + 128, oblateness)
  const { ships } = flight.state
  launchOn(flight, 0, orbit)
  const start = energyOf(flight, 0)
  let energyError = 0
  let evaluations = 0
  for (let cost = step(flight, end); cost > 0; cost = step(flight, end)) {
    evaluations += cost
    energyError = Math.max(energyError, Math.abs(relativeChange(energyOf(flight, 0), start)))
  }
  const n = ships.stepStart[0]
  stepAlone(flight, 0, last, n, end - n)
  evaluations += last.evaluations
  return { energyError, place: [...ships.endPosition.subarray(0, 3)], evaluations }
}
