/**
 * How fast the engine makes nodes: game-days per CPU-second once warm, and the CPU time from a
 * checkpoint to a complete first day at the worst date of 2020 to 2035. Fresh processes.
 */
import {
  type Checkpoints,
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import { createWorld } from '@orrery/engine/testing'
import {
  type Ephemeris,
  type Integration,
  type MassiveState,
  NODE_QUANTA,
  NODE_SECONDS,
  extendEphemeris,
  latticeFromUtc,
  spheresOfInfluence,
} from '@orrery/sim'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { measureRounds } from './rounds.ts'

/** How the engine makes nodes: by the specification, or by its twin. */
type Twin = 'typescript' | 'wasm'

const ROUNDS = 5
const TWINS: readonly Twin[] = ['typescript', 'wasm']

/** A round number of nodes near a day. */
const DAY_NODES = 338
const WARM_DAYS = 20
const DAYS = 60

interface Measured {
  /** CPU time of a day of nodes, median and p99 of the process [s] */
  readonly daySeconds: number
  readonly daySecondsP99: number
  /** CPU time from reading the checkpoint to the first complete day [s] */
  readonly startSeconds: number
  readonly startNodes: number
}

export async function ephemeris(): Promise<Row[]> {
  const self = fileURLToPath(import.meta.url)
  const commands = new Map(TWINS.map((twin) => [twin, [process.execPath, self, twin] as const]))
  const rounds = await measureRounds<Measured>(commands, ROUNDS)
  return TWINS.flatMap((twin) => {
    const measured = rounds.map((round) => round.get(twin)!)
    const days = (of: (one: Measured) => number): number =>
      (DAY_NODES * NODE_SECONDS) / 86400 / percentile(measured.map(of), 0.5)
    const starts = measured.map(({ startSeconds }) => startSeconds)
    return rowsOf(`nodes, ${twin}`, [
      ['days_per_cpu_second', days(({ daySeconds }) => daySeconds), 'd/s'],
      ['days_per_cpu_second_p99', days(({ daySecondsP99 }) => daySecondsP99), 'd/s'],
      ['start_nodes', measured[0].startNodes, ''],
      ['start_cpu_median', percentile(starts, 0.5), 's'],
      ['start_cpu_max', Math.max(...starts), 's'],
    ])
  })
}

async function measureHere(twin: Twin): Promise<Measured> {
  const checkpoints = await solCheckpoints()
  const node = worstNode(checkpoints)
  const before = process.cpuUsage()
  const start = checkpointAtOrBefore(await solCheckpoints(), node)
  const { integration, ephemeris } = await solEphemeris(twin, start, node)
  const startSeconds = seconds(before)
  extendEphemeris(integration, ephemeris, integration.head.node + WARM_DAYS * DAY_NODES)
  const days: number[] = []
  for (let day = 0; day < DAYS; day++) {
    const since = process.cpuUsage()
    extendEphemeris(integration, ephemeris, integration.head.node + DAY_NODES)
    days.push(seconds(since))
  }
  return {
    daySeconds: percentile(days, 0.5),
    daySecondsP99: percentile(days, 0.99),
    startSeconds,
    startNodes: node + DAY_NODES - start.node,
  }
}

/** The node of 2020 to 2035 farthest from the checkpoint before it. */
function worstNode(checkpoints: Checkpoints): number {
  const first = Math.ceil(latticeFromUtc(Date.UTC(2020, 0)) / NODE_QUANTA)
  let node = Math.floor(latticeFromUtc(Date.UTC(2036, 0)) / NODE_QUANTA)
  let worst = node
  let distance = 0
  while (node >= first) {
    const checkpoint = checkpointAtOrBefore(checkpoints, node).node
    if (node - checkpoint > distance) {
      worst = node
      distance = node - checkpoint
    }
    node = checkpoint - 1
  }
  return worst
}

function seconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

/** The massive bodies as the engine owns them, complete for a day from `node` on. */
async function solEphemeris(
  twin: Twin,
  start: MassiveState,
  node: number,
): Promise<{ integration: Integration; ephemeris: Ephemeris }> {
  const territory = {
    home: bodyIndex(solSystem, 'Earth'),
    spheres: spheresOfInfluence(solSystem, solStateJ2000()),
  }
  const massiveKernel =
    twin === 'wasm'
      ? await readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm')))
      : undefined
  const { integration, state } = createWorld({
    system: { system: solSystem, territory, start },
    index: node * NODE_QUANTA,
    seed: 'bench',
    shipsMax: 1,
    massiveKernel,
  })
  return { integration, ephemeris: state.ephemeris }
}

async function solCheckpoints(): Promise<Checkpoints> {
  return parseCheckpoints(await readFile(checkpointsUrl))
}

if (import.meta.main) console.log(JSON.stringify(await measureHere(process.argv[2] as Twin)))
