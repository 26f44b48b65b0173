/**
 * The cost of an image of a world: how long a tick waits for it, how long ships are not advanced
 * while they are copied, how long the rest takes in the background, and how long the main thread is
 * blocked; then the compressed size.
 */
import type { Pool } from '@orrery/engine/testing'
import { createChance } from '@orrery/testkit/chance'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { engineOf, poolOf, populatedUniverse } from './populated-universe.ts'

const IMAGES = 5

/** Taken while ticks come, ten a second. */
const TICKED_IMAGES = 10

/** The ephemeris is made on to its horizon, and ships turn and burn, in this time. */
const SETTLE_MS = 75_000

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
  const most = (of: (one: Taken) => number): number => Math.max(...taken.map(of))
  const stood = taken.map(({ stoodMs }) => stoodMs)
  const perShip = ships / 100_000
  const [{ bytes }] = taken
  await engine.stop()
  return [
    ...rowsOf(`${ships} ships`, [
      ['tick_waited_max', waitedMs, 'ms', { max: 5 * perShip }],
      ['world_stands_median', percentile(stood, 0.5), 'ms'],
      ['world_stands_max', Math.max(...stood), 'ms'],
      ['behind_max', most(({ behindMs }) => behindMs), 'ms', { max: 3000 * perShip }],
      ['main_thread_stretch_max', most(({ stretchMs }) => stretchMs), 'ms'],
      ['bytes', bytes.length / 1e6, 'MB'],
    ]),
    ...(await packed(`${ships} ships, zstd level 3`, bytes, 3)),
    ...(await packed(`${ships} ships, zstd level 1`, bytes, 1)),
  ]
}

const compress = promisify(zstdCompress)

async function packed(name: string, bytes: Uint8Array, level: number): Promise<Row[]> {
  progress.at(name)
  const startMs = performance.now()
  const { length } = await compress(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: level },
  })
  return rowsOf(name, [
    ['packed', length / 1e6, 'MB'],
    ['time', performance.now() - startMs, 'ms'],
  ])
}

/** A world that has flown a while and is paused, and when its last copy began and ended. */
async function flyingEngine(ships: number) {
  const universe = await populatedUniverse(ships, () => randomUUID())
  const [world] = universe.worlds
  const moments = { readyMs: 0, copiedMs: 0, waitedMsMax: 0 }
  let askedMs: number | undefined
  const engine: ReturnType<typeof engineOf> = engineOf(universe, {
    timeScale: 10,
    pool: watched(poolOf(universe), {
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
