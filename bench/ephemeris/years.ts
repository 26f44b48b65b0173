/**
 * Years of the engine's own integration from J2000: what is conserved, with ledgers and without,
 * whether moons keep their orbits, and whether the stored checkpoints are nodes of this run.
 */
import { type Checkpoints, checkpointAtOrBefore, solStateJ2000, solSystem } from '@orrery/catalog'
import {
  type Invariants,
  type MassiveState,
  NODE_SECONDS,
  createMassiveState,
  drift,
  extendEphemeris,
  massiveInvariants,
} from '@orrery/sim'
import { barycentre, distance } from '@orrery/testkit/fixed-point'
import { type OwnOrbit, ownOrbit } from '@orrery/testkit/own-orbit'
import { progress } from '@orrery/testkit/progress'
import type { Row } from '@orrery/testkit/report'
import { solCheckpoints, solEphemeris } from './world.ts'

/** Nodes between two samples: 1.5 days, a divisor of the distance between checkpoints. */
const STRIDE = 512

const YEAR_NODES = (365.25 * 86400) / NODE_SECONDS
const DEGREE = Math.PI / 180

const MOONS = [...solSystem.bodies.keys()].filter((body) => solSystem.bodies[body].parent > 0)

/** A state's distance from the start in what should be conserved. */
interface Sample {
  readonly energy: number
  readonly momentum: number
  readonly rawEnergy: number
  readonly rawMomentum: number
  /** [m/s] */
  readonly barycentre: number
  readonly orbits: readonly OwnOrbit[]
}

export async function yearRows(years: number): Promise<Row[]> {
  const start = solStateJ2000()
  const reference = massiveInvariants(solSystem, start)
  const checkpoints = await solCheckpoints()
  const { integration, ephemeris } = await solEphemeris('wasm', start, start.node)
  const last = Math.round(years * YEAR_NODES)
  const samples: Sample[] = []
  const stored = { compared: 0, different: 0 }
  const before = process.cpuUsage()
  for (let node = STRIDE; node - STRIDE < last; node += STRIDE) {
    progress.at(`nodes of ${years} years`, node, last)
    extendEphemeris(integration, ephemeris, Math.min(node, last))
    samples.push(sampleOf(integration.head, start, reference))
    compare(stored, integration.head, checkpoints)
  }
  const { user, system } = process.cpuUsage(before)
  const name = `${years} years`
  return [
    ...conservationRows(name, samples),
    { case: name, metric: 'checkpoints_compared', value: stored.compared, unit: '' },
    { case: name, metric: 'checkpoints_different', value: stored.different, unit: '' },
    { case: name, metric: 'cpu_with_sampling', value: (user + system) / 1e6, unit: 's' },
    ...MOONS.flatMap((body, k) => orbitRows(solSystem.bodies[body].name, samples, k)),
  ]
}

function sampleOf(state: MassiveState, start: MassiveState, reference: Invariants): Sample {
  const { energyWork, angularWork } = createMassiveState(solSystem.bodies.length)
  const held = drift(massiveInvariants(solSystem, state), reference)
  const bare = { ...state, energyWork, angularWork }
  const raw = drift(massiveInvariants(solSystem, bare), reference)
  return {
    ...held,
    rawEnergy: raw.energy,
    rawMomentum: raw.momentum,
    barycentre: distance(
      barycentre(solSystem, state.v, state.vLow),
      barycentre(solSystem, start.v, start.vLow),
    ),
    orbits: MOONS.map((body) => ownOrbit(solSystem, state, body)),
  }
}

/** Counts the checkpoints passed, and those that are not this run's state bit for bit. */
function compare(
  stored: { compared: number; different: number },
  head: MassiveState,
  checkpoints: Checkpoints,
): void {
  const { node, x, v, xLow, vLow, energyWork, angularWork } = head
  const checkpoint = checkpointAtOrBefore(checkpoints, node)
  if (checkpoint.node !== node) return
  const pairs = [
    [x, checkpoint.x],
    [v, checkpoint.v],
    [xLow, checkpoint.xLow],
    [vLow, checkpoint.vLow],
    [energyWork, checkpoint.energyWork],
    [angularWork, checkpoint.angularWork],
  ]
  stored.compared++
  if (pairs.some(([own, theirs]) => own.some((value, i) => value !== theirs[i]))) stored.different++
}

function conservationRows(name: string, samples: readonly Sample[]): Row[] {
  const series = (
    metric: string,
    unit: string,
    value: (sample: Sample) => number,
  ): readonly Row[] => [
    {
      case: name,
      metric: `${metric}_max`,
      value: Math.max(...samples.map((sample) => Math.abs(value(sample)))),
      unit,
    },
    { case: name, metric: `${metric}_end`, value: value(samples.at(-1)!), unit },
  ]
  return [
    ...series('energy_drift', '', ({ energy }) => energy),
    ...series('momentum_drift', '', ({ momentum }) => momentum),
    ...series('energy_drift_raw', '', ({ rawEnergy }) => rawEnergy),
    ...series('momentum_drift_raw', '', ({ rawMomentum }) => rawMomentum),
    ...series('barycentre_speed_change', 'm/s', (sample) => sample.barycentre),
  ]
}

/** Spread of a moon's own energy (as a) and its shift from the first half to the second; e, i. */
function orbitRows(moon: string, samples: readonly Sample[], k: number): Row[] {
  const orbits = samples.map((sample) => sample.orbits[k])
  const sizes = orbits.map(({ a }) => a)
  const half = Math.floor(sizes.length / 2)
  const shift = mean(sizes.slice(half)) / mean(sizes.slice(0, half)) - 1
  const row = (metric: string, value: number, unit: string): Row => ({
    case: `${moon}'s orbit`,
    metric,
    value,
    unit,
  })
  const eccentricities = orbits.map(({ e }) => e)
  const tilts = orbits.map(({ i }) => i / DEGREE).filter((tilt) => !Number.isNaN(tilt))
  return [
    row('a_spread', (Math.max(...sizes) - Math.min(...sizes)) / mean(sizes), ''),
    row('a_shift', shift, ''),
    row('e_min', Math.min(...eccentricities), ''),
    row('e_max', Math.max(...eccentricities), ''),
    ...(tilts.length > 0
      ? [row('i_min', Math.min(...tilts), '°'), row('i_max', Math.max(...tilts), '°')]
      : []),
  ]
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value) / values.length
}
