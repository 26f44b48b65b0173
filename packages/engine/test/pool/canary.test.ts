/**
 * Law: what the pool makes of a chunk is what the kernel in TypeScript makes of it, and looking
 * costs the world no bit. Goal: checks pass on a healthy flight under orders by real workers with
 * the kernel in WebAssembly, whose bits are those of a flight without checks; a single flipped
 * bit is found; one chunk is checked in ten seconds; the memory in use does not grow with the
 * ships that a world has room for.
 */
import { createPool, createWorld } from '@orrery/engine/testing'
import { type ShipKernel, createFlight, shipKernel } from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type CanaryMismatch, createCanary } from '../../src/pool/canary.ts'
import { createTwinRoom } from '../../src/pool/chunk-twin.ts'
import { type Flier, busyWorld, flyTicks } from '../busy-world.ts'
import { START_INDEX, callingThread, globe, universeOf } from '../globe.ts'
import { simulatedClock } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { testEngine } from '../test-engine.ts'

const PERIOD_MS = 10_000

const TICKS = byTier({ gate: 4, night: 24 })

it('finds no difference in a healthy flight, and makes none', async () => {
  const plain = busyWorld()
  const expected = await flyTicks(plain, callingThread(plain), TICKS)
  const world = busyWorld(await readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))))
  const clock = simulatedClock(0)
  const universe = universeOf(world)
  const pool = createPool(universe, 2, (error) => expect.fail(String(error)))
  const canary = createCanary(universe, pool, clock, (found) => expect.fail(JSON.stringify(found)))
  const flier: Flier = {
    advance: async (rounds) => {
      await clock.advance(PERIOD_MS)
      await canary.advance(rounds)
      canary.check()
    },
  }
  expect(await flyTicks(world, flier, TICKS)).toEqual(expected)
  await pool.close()
  const { checks, mismatches, last } = canary.report()
  expect(checks).toBeGreaterThanOrEqual(TICKS)
  expect({ mismatches, last }).toEqual({ mismatches: 0, last: undefined })
})

it('finds one bit that differs', async () => {
  const world = busyWorld()
  const { state, flight } = world
  let bits = 0n
  const kernel: ShipKernel = {
    ...shipKernel,
    step(scratch, ...given) {
      shipKernel.step(scratch, ...given)
      new BigUint64Array(scratch.block.buffer, scratch.velocity.byteOffset, 1)[0] ^= bits
    },
  }
  const off = createFlight(state, flight.territory, kernel)
  const clock = simulatedClock(0)
  const found: CanaryMismatch[] = []
  const pool = callingThread({ ...world, flight: off })
  const canary = createCanary(universeOf(world), pool, clock, (mismatch) => {
    found.push(mismatch)
  })
  await clock.advance(PERIOD_MS)
  await flyTicks(world, canary, 1)
  canary.check()
  expect(canary.report()).toEqual({ checks: 1, mismatches: 0, last: undefined })
  bits = 1n
  await clock.advance(PERIOD_MS)
  await flyTicks(world, canary, 1)
  canary.check()
  expect(found).toEqual([
    {
      systemId: 'pair',
      chunk: expect.any(Number),
      column: expect.any(String),
      target: world.index,
    },
  ])
  expect(canary.report()).toEqual({ checks: 2, mismatches: 1, last: found[0] })
})

it('checks one chunk in ten seconds', async () => {
  const { engine, clock } = testEngine({ world: busyWorld(), tickRate: 1 })
  await clock.advance(6 * PERIOD_MS)
  const { checks, mismatches } = engine.metrics().canary
  expect(mismatches).toBe(0)
  // A tick in which nothing is due has nothing to check.
  expect(checks).toBeLessThanOrEqual(6)
  expect(checks).toBeGreaterThanOrEqual(5)
})

it('reports no memory as used that copies reserve and never touch', () => {
  const setup = { system: globe(), index: START_INDEX, seed: 'test', shipsMax: 200_000 }
  const { state } = createWorld(setup)
  const before = process.memoryUsage().external
  const { rows } = createTwinRoom(state)
  expect(process.memoryUsage().external - before).toBeLessThan(rows.byteLength / 4)
})
