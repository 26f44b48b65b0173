/**
 * Error against cost: 20 days from J2000 by every method and several steps, the full force
 * model, against Gauss-Legendre 16 at 256 s. What is given is the worst of 20 samples.
 */
import { bodyIndex, solStateJ2000, solSystem } from '@orrery/catalog'
import {
  GL16,
  LEAPFROG,
  type MassiveState,
  type Method,
  SRKN11B,
  SRKN14A,
  SRKN6B,
  createCollocationScratch,
  createForceModel,
  drift,
  massiveInvariants,
  stepCollocation,
  stepMassive,
} from '@orrery/sim'
import { distance, placeFromParent } from '@orrery/testkit/fixed-point'
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'

const SAMPLES = 20

/** 0.9956 days: a multiple of every step. */
const SAMPLE_SECONDS = 84 * 1024

const MOONS = ['Phobos', 'Io', 'Mimas', 'Moon']

/** Leapfrog last: only there is a step of 16 s worth its time. */
const EXPLICIT: readonly (readonly [method: Method, steps: readonly number[]])[] = [
  [SRKN14A, [128, 256, 512, 1024]],
  [SRKN11B, [128, 256, 512, 1024]],
  [SRKN6B, [128, 256, 512, 1024]],
  [LEAPFROG, [16, 64, 256]],
]

/** Evaluations of one Gauss-Legendre step: 8 rounds of 8 stages, and once more at their end. */
const COLLOCATION_EVALUATIONS = 72

/** One way through the 20 days. */
interface Flight {
  readonly name: string
  readonly evaluations: number
  readonly cpu: number
  /** largest drift of energy with ledgers; methods without ledgers have none */
  readonly drift: number | undefined
  /** the moons' places at each sample */
  readonly places: readonly (readonly bigint[][])[]
}

export function methodRows(): Row[] {
  const converged = implicit(256)
  const flights = [
    ...EXPLICIT.flatMap(([method, steps]) => steps.map((h) => explicit(method, h))),
    ...[512, 1024].map(implicit),
  ]
  return flights.flatMap((flight) => rowsOf(flight, converged))
}

function rowsOf(flight: Flight, converged: Flight): Row[] {
  const row = (metric: string, value: number, unit: string): Row => ({
    case: flight.name,
    metric,
    value,
    unit,
  })
  const misses = MOONS.map((_, k) =>
    flight.places.map((places, sample) => distance(places[k], converged.places[sample][k])),
  )
  return [
    ...MOONS.map((moon, k) => row(`${moon.toLowerCase()}_miss_max`, Math.max(...misses[k]), 'm')),
    ...(flight.drift === undefined ? [] : [row('energy_drift_max', flight.drift, '')]),
    row('evaluations', flight.evaluations, ''),
    row('cpu', flight.cpu, 's'),
  ]
}

function explicit(method: Method, h: number): Flight {
  const model = createForceModel(solSystem)
  const kicks = method.b.filter((kick) => kick !== 0).length
  const step = (state: MassiveState): void => stepMassive(model, method, state, h)
  return flown(`${method.name} ${h} s`, h, kicks, step, true)
}

function implicit(h: number): Flight {
  const model = createForceModel(solSystem)
  const scratch = createCollocationScratch(GL16, solSystem.bodies.length)
  const step = (state: MassiveState): void => stepCollocation(scratch, model, GL16, state, h)
  return flown(`${GL16.name} ${h} s`, h, COLLOCATION_EVALUATIONS, step, false)
}

function flown(
  name: string,
  h: number,
  evaluations: number,
  step: (state: MassiveState) => void,
  ledgers: boolean,
): Flight {
  const bodies = MOONS.map((moon) => bodyIndex(solSystem, moon))
  const state = solStateJ2000()
  const reference = massiveInvariants(solSystem, state)
  const steps = SAMPLE_SECONDS / h
  const places: bigint[][][] = []
  let cpu = 0
  let worst = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    progress.at(`samples by ${name}`, sample, SAMPLES)
    const before = process.cpuUsage()
    for (let k = 0; k < steps; k++) step(state)
    const { user, system } = process.cpuUsage(before)
    cpu += (user + system) / 1e6
    places.push(bodies.map((body) => placeFromParent(solSystem, state, body)))
    const { energy } = drift(massiveInvariants(solSystem, state), reference)
    worst = Math.max(worst, Math.abs(energy))
  }
  return {
    name,
    evaluations: SAMPLES * steps * evaluations,
    cpu,
    drift: ledgers ? worst : undefined,
    places,
  }
}
