/**
 * The cost of an image of a world: how long a tick waits for it, how long ships are not advanced
 * while they are copied, how long the rest takes in the background, and how long the main thread is
 * blocked; then the compressed size.
 */
import { Engine, type Pool, createGameClock, createPool, systemClock } from '@orrery/engine/testing'
import { createChance } from '@orrery/testkit/chance'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile } from '@orrery/testkit/report'
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { populatedUniverse } from './populated-universe.ts'

const IMAGES = 5

/** Taken while ticks come, ten a second. */
const TICKED_IMAGES = 10

/** The ephemeris is made on to its horizon, and ships turn and burn, in this time. */
const SETTLE_MS = 20_000

const WATCH_MS = 1

interface Taken {
  readonly bytes: Uint8Array
  /** as a tick finds it that comes at the worst moment */
  readonly stoodMs: number
  readonly behindMs: number
  readonly stretchMs: number
}

export async function snapshot(ships: number): Promise<Row[]> {
  progress.at(`${ships} ships start`)
  const { engine, moments } = await flyingEngine(ships)
  progress.at('images while ticks come')
  for (let i = 0; i < TICKED_IMAGES; i++) {
    await engine.image()
    // At another moment of a tick's period each time.
    await new Promise((resolve) => setTimeout(resolve, 17 * i))
  }
  const waitedMs = moments.waitedMsMax
  await engine.pause()
  const taken: Taken[] = []
  for (let i = 0; i < IMAGES; i++) {
    progress.at('images', i, IMAGES)
    const stretches = monitorEventLoopDelay({ resolution: WATCH_MS })
    stretches.enable()
    const { bytes } = await engine.image()
    const endMs = performance.now()
    stretches.disable()
    const { readyMs, copiedMs } = moments
    taken.push({
      bytes,
      stoodMs: copiedMs - readyMs,
      behindMs: endMs - copiedMs,
      stretchMs: stretches.max / 1e6 - WATCH_MS,
    })
  }
  const name = `${ships} ships`
  const stood = taken.map(({ stoodMs }) => stoodMs)
  const row = (metric: string, value: number, unit: string): Row => {
    return { case: name, metric, value, unit }
  }
  const perShip = ships / 100_000
  const rows: Row[] = [
    { ...row('tick_waited_max', waitedMs, 'ms'), bound: { max: 5 * perShip } },
    row('world_stands_median', percentile(stood, 0.5), 'ms'),
    row('world_stands_max', Math.max(...stood), 'ms'),
    {
      ...row('behind_max', Math.max(...taken.map(({ behindMs }) => behindMs)), 'ms'),
      bound: { max: 3000 * perShip },
    },
    row('main_thread_stretch_max', Math.max(...taken.map(({ stretchMs }) => stretchMs)), 'ms'),
  ]
  const [{ bytes }] = taken
  await engine.stop()
  rows.push(row('bytes', bytes.length / 1e6, 'MB'))
  for (const level of [3, 1]) {
    rows.push(...(await packed(`${name}, zstd level ${level}`, bytes, level)))
  }
  return rows
}

const compress = promisify(zstdCompress)

async function packed(name: string, bytes: Uint8Array, level: number): Promise<Row[]> {
  progress.at(name)
  const startMs = performance.now()
  const { length } = await compress(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: level },
  })
  return [
    { case: name, metric: 'packed', value: length / 1e6, unit: 'MB' },
    { case: name, metric: 'time', value: performance.now() - startMs, unit: 'ms' },
  ]
}

/** A world that has flown a while and is paused, and when its last copy began and ended. */
async function flyingEngine(ships: number) {
  const universe = await populatedUniverse(ships, () => randomUUID())
  const [world] = universe.worlds
  const fail = (error: unknown): never => {
    throw error instanceof Error ? error : new Error(String(error))
  }
  const moments = { readyMs: 0, copiedMs: 0, waitedMsMax: 0 }
  let askedMs: number | undefined
  const pool = createPool(universe, 2, fail)
  const engine: Engine = new Engine({
    universe,
    pool: watched(pool, {
      onReady: () => {
        moments.readyMs = performance.now()
      },
      onCopy: () => {
        askedMs = undefined
        void engine.whenSettled(() => {
          moments.copiedMs = performance.now()
          const waitedMs = askedMs === undefined ? 0 : moments.copiedMs - askedMs
          moments.waitedMsMax = Math.max(moments.waitedMsMax, waitedMs)
        })
      },
      onAdvance: () => {
        askedMs ??= performance.now()
      },
    }),
    clock: systemClock,
    gameClock: createGameClock(world.index),
    tick: 0,
    tickRate: 10,
    timeScale: 10,
    paused: false,
    onPublish: () => undefined,
    onFault: fail,
  })
  engine.start()
  const chance = createChance(1)
  const ids = [...world.roster.byId.keys()]
  for (let i = 0; i < ids.length; i += 10) {
    const attitude = [1, chance.share(), chance.share(), chance.share()] as const
    engine.control(ids[i], { thrustLevel: i % 20 === 0 ? 0.1 : 0, attitude })
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  return { engine, moments }
}

interface Watch {
  /** the ships are about to be copied */
  readonly onReady: () => void
  /** they are being copied */
  readonly onCopy: () => void
  /** a tick is due */
  readonly onAdvance: () => void
}

function watched(pool: Pool, { onReady, onCopy, onAdvance }: Watch): Pool {
  const { archive } = pool
  return {
    advance: (rounds) => {
      onAdvance()
      return pool.advance(rounds)
    },
    status: () => pool.status(),
    close: () => pool.close(),
    archive: archive && {
      ...archive,
      prepare: () => archive.prepare().then(onReady),
      copy: () => {
        onCopy()
        return archive.copy()
      },
    },
  }
}
