/**
 * Law: a hurry changes when game time is reached and no bit of the world. Goal: it ends at its
 * moment, with the digests of a world that came there at an ordinary pace. Method: engines under
 * simulated clocks.
 */
import { type SystemDigest, addShip } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { globeWorld } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const SHIPS = 10
const SECONDS = 5000

function flown(options: { readonly timeScale?: number; readonly tickRate?: number }) {
  const digests: SystemDigest[] = []
  const world = globeWorld()
  for (let i = 0; i < SHIPS; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
  const onDigest = (digest: SystemDigest): void => void digests.push(digest)
  return { ...testEngine({ world, onDigest, ...options }), digests }
}

it('comes to its moment by long ticks, with the bits of short ones', async () => {
  const slow = flown({ tickRate: 10, timeScale: 100 })
  const { engine, clock, digests } = flown({ tickRate: 2 })
  const startMs = engine.status().gameTimeMs
  const goalMs = startMs + SECONDS * 1000
  engine.hurryTo(goalMs)
  expect(engine.status().goalMs).toBe(goalMs)
  expect(engine.status().effectiveTimeScale).toBe(2000)
  await clock.advance(1100)
  expect(engine.status().gameTimeMs).toBe(startMs + 2_000_000)
  await clock.advance(1500)
  const there = engine.status()
  expect(there).toMatchObject({ gameTimeMs: goalMs, goalMs: undefined, effectiveTimeScale: 1 })
  await clock.advance(500)
  expect(engine.status().gameTimeMs).toBe(goalMs + 500)
  await slow.clock.advance((SECONDS * 1000) / 100)
  expect(digests.length).toBeGreaterThan(70)
  expect(digests).toEqual(slow.digests.slice(0, digests.length))
})

it('waits while game time is held, and ends for a moment that is over', async () => {
  const { engine, clock } = flown({ tickRate: 1 })
  await engine.pause()
  const { gameTimeMs } = engine.status()
  engine.hurryTo(gameTimeMs + 1_500_000)
  await clock.advance(5000)
  expect(engine.status().gameTimeMs).toBe(gameTimeMs)
  await engine.resume()
  await clock.advance(1000)
  expect(engine.status().gameTimeMs).toBe(gameTimeMs + 1_000_000)
  engine.hurryTo(gameTimeMs)
  expect(engine.status()).toMatchObject({ goalMs: undefined, effectiveTimeScale: 1 })
})
