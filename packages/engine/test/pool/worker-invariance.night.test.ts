/**
 * Law: the number of workers, and which of them flies what, changes no bit. Goal: one world of
 * three chunks under thrust, turning, chasing, falling and changing bodies, flown by 1, 2 and 3
 * real workers with the kernel in WebAssembly, and by none with its TypeScript twin, gives one
 * digest after every tick; so does a world that was stored and restored half-way.
 */
import { createGameClock, createPool, restoreWorld } from '@orrery/engine/testing'
import { takeEvents } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { worldImage } from '../../src/image/image.ts'
import { TICKS, busyWorld, flyTick, flyTicks, pair, steer } from '../busy-world.ts'
import { callingThread, universeOf } from '../globe.ts'

const whole = busyWorld()
const expected = await flyTicks(whole, callingThread(whole), TICKS)

it('flies a world in which everything happens that ends a step', () => {
  const kinds = new Set(takeEvents(whole.state).events.map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual([
    'docked',
    'impact',
    'locked',
    'maneuver_completed',
    'maneuver_failed',
    'maneuver_phase',
    'maneuver_sample',
    'refuelled',
    'sighted',
    'undocked',
  ])
})

// Others, and by day these, are flown in determinism/bit-identity.test.ts.
it.each([1, 2, 3])('gives the same bits for %i workers', async (workers) => {
  const kernel = await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm')))
  const world = busyWorld(kernel)
  const pool = createPool(universeOf(world), workers, (error) => expect.fail(String(error)))
  const digests = await flyTicks(world, pool, TICKS)
  await pool.close()
  expect(digests).toEqual(expected)
})

it('goes on from an image to the same bits', async () => {
  const half = busyWorld()
  await flyTicks(half, callingThread(half), TICKS / 2)
  // Commands that wait are part of the image.
  steer(half)
  const image = worldImage(half, createGameClock(half.index), TICKS / 2)
  const { world, tick } = restoreWorld(structuredClone(image), { system: pair(), shipsMax: 10 })
  expect(tick).toBe(TICKS / 2)
  expect(world.intake.sequence).toBe(half.intake.sequence)
  const flier = callingThread(world)
  await flyTick(world, flier)
  expect(await flyTicks(world, flier, TICKS / 2 - 1)).toEqual(expected.slice(TICKS / 2 + 1))
})
