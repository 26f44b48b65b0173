/** What a tick costs: the real engine and pool on the real solar system, for some seconds. */
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  Engine,
  addShip,
  createGameClock,
  createPool,
  createWorld,
  startNode,
  systemClock,
} from '@orrery/engine'
import { latticeFromUtc, spheresOfInfluence } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { type Row, percentile } from './report.ts'

const SETTLE_MS = 15_000

export interface TicksOptions {
  readonly ships: number
  readonly rateHz: number
  readonly workers: number
  readonly seconds: number
  /** share of ships under full thrust, turning once a second */
  readonly steered: number
}

export async function ticks(options: TicksOptions): Promise<Row[]> {
  const { ships, rateHz, workers, seconds, steered } = options
  const engineTicks: number[] = []
  const engine = await flyingEngine(options, () => engineTicks.push(performance.now()))
  const pilots = [...engine.world.roster.byId.keys()].slice(0, Math.round(ships * steered))
  const steering = setInterval(() => {
    for (const pilot of pilots) {
      const attitude = [1, Math.random(), Math.random(), Math.random()] as const
      engine.control(pilot, { thrustLevel: 1, attitude })
    }
  }, 1000)
  engine.start()
  // The ephemeris is still being made on to its horizon in the first seconds.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const before = { cpu: process.cpuUsage(), at: performance.now(), ticks: engineTicks.length }
  const loads: number[] = []
  const sampling = setInterval(() => loads.push(engine.status().utilisation), 500)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  clearInterval(sampling)
  clearInterval(steering)
  const { user, system } = process.cpuUsage(before.cpu)
  const elapsedMs = performance.now() - before.at
  const { ticksDropped } = engine.status()
  await engine.stop()
  const name = `${ships} ships, ${rateHz} Hz, ${workers} workers`
  const row = (metric: string, value: number, unit: string): Row => ({
    case: name,
    metric,
    value,
    unit,
  })
  return [
    row('utilisation_median', 100 * percentile(loads, 0.5), '%'),
    row('utilisation_max', 100 * Math.max(...loads), '%'),
    row('cpu', (user + system) / 10 / elapsedMs, '% of one core'),
    row('tick_rate', ((engineTicks.length - before.ticks) * 1000) / elapsedMs, 'Hz'),
    row('ticks_dropped', ticksDropped, ''),
    row('memory', process.memoryUsage.rss() / 1e6, 'MB'),
  ]
}

async function flyingEngine(options: TicksOptions, onPublish: () => void): Promise<Engine> {
  const { ships, rateHz, workers } = options
  const index = latticeFromUtc(Date.now())
  const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
  const territory = {
    home: bodyIndex(solSystem, 'Earth'),
    spheres: spheresOfInfluence(solSystem, solStateJ2000()),
  }
  const start = checkpointAtOrBefore(checkpoints, startNode(index))
  const world = createWorld({
    systems: [{ system: solSystem, territory, start }],
    index,
    seed: 'bench',
    shipsMax: ships,
    kernel: await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
  })
  for (let i = 0; i < ships; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
  const fail = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error))
  }
  return new Engine({
    world,
    pool: createPool(world, workers, fail),
    clock: systemClock,
    gameClock: createGameClock(index),
    tick: 0,
    tickRate: rateHz,
    timeScale: 1,
    paused: false,
    onPublish,
    onFault: fail,
  })
}
