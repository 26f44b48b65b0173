/**
 * Law: neither ticks nor workers change a bit of ships that dock, refuel, undock and dock again,
 * nor what happens to them. Method: engines under simulated clocks on the calling thread, and their
 * journal replayed by pools of workers with the kernel in WebAssembly.
 */
import {
  type CommandRow,
  type EngineOptions,
  type ShipNotice,
  type SystemDigest,
  type World,
  createPool,
  createReplay,
} from '@orrery/engine/testing'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { universeOf } from '../globe.ts'
import { beside, dock, stationWorld } from './station-world.ts'
import { testEngine } from '../test-engine.ts'

const SHIPS = 300
const GAME_SECONDS = 320

interface Life {
  readonly digests: readonly SystemDigest[]
  readonly notices: readonly ShipNotice[]
  readonly rows: readonly CommandRow[]
  readonly index: number
}

function shipsBeside(kernel?: Uint8Array): World {
  const world = stationWorld(kernel)
  for (let i = 0; i < SHIPS; i++) beside(world, `ship-${i}`, i % 2 ? 'low' : 'far')
  return world
}

async function life(options: Partial<EngineOptions>): Promise<Life> {
  const digests: SystemDigest[] = []
  const notices: ShipNotice[] = []
  const rows: CommandRow[] = []
  const { engine, clock } = testEngine({
    world: shipsBeside(),
    onDigest: (digest) => digests.push(digest),
    onEvent: (notice) => notices.push(notice),
    journal: { admit: () => undefined, keep: (row) => Promise.resolve(void rows.push(row)) },
    ...options,
  })
  const { timeScale = 1 } = options
  // Orders come between two boundaries at which they act: rounding must not choose.
  await clock.advance(30 / timeScale)
  for (let second = 0; second < GAME_SECONDS; second += 20) {
    for (let i = (second / 20) % 7; i < SHIPS; i += 7) {
      const isDocked = (await engine.ship(`ship-${i}`))!.dockedAt !== null
      engine.control(`ship-${i}`, isDocked ? { undock: true } : dock(i % 2 ? 'low' : 'far'))
    }
    await clock.advance((1000 * 20) / timeScale)
  }
  const { index } = engine.clock()
  await engine.stop()
  return { digests, notices, rows, index }
}

const expected = await life({ tickRate: 1 })

const listed = (notices: readonly ShipNotice[]): string[] =>
  notices
    .map(({ kind, shipId, index, stationId }) => [kind, shipId, index, stationId].join())
    .toSorted()

it('docks and undocks', () => {
  const count = (wanted: string): number =>
    expected.notices.filter(({ kind }) => kind === wanted).length
  expect(count('docked')).toBeGreaterThan(SHIPS / 2)
  expect(count('undocked')).toBeGreaterThan(SHIPS / 2)
  expect(new Set(expected.digests.map(({ digest }) => digest)).size).toBe(expected.digests.length)
  expect(expected.digests.length).toBeGreaterThan(2)
})

const courses = [{ tickRate: 0.1 }, { tickRate: 10, timeScale: 100 }, { tickRate: 7.3 }]

it.each(courses)('is the same with %o', async (options) => {
  const found = await life(options)
  expect(found.digests).toEqual(expected.digests)
  expect(listed(found.notices)).toEqual(listed(expected.notices))
})

it.each([1, 2, 3])('is replayed by %i workers', async (workers) => {
  const kernel = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
  const world = shipsBeside(kernel)
  const digests: SystemDigest[] = []
  const notices: ShipNotice[] = []
  const pool = createPool(universeOf(world), workers, (error) => expect.fail(String(error)))
  const replay = createReplay({
    world,
    pool,
    onDigest: (digest) => digests.push(digest),
    onEvent: (notice) => notices.push(notice),
  })
  for (const row of expected.rows) await replay.apply({ ...row, command: row.seal() })
  await replay.flyTo(expected.index, 0)
  await pool.close()
  expect(digests).toEqual(expected.digests)
  expect(listed(notices)).toEqual(listed(expected.notices))
})
