/**
 * Law: how time is cut into ticks changes no bit. Goal: the digests that an engine gives of one
 * world under orders are the same at any tick rate, while the rate adapts, and at any time scale;
 * the same orders reach it at the same game time. Method: engines under simulated clocks.
 */
import { type EngineOptions, type SystemDigest, addShip } from '@orrery/engine/testing'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { globeWorld } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const SHIPS = 20
const GAME_SECONDS = 400

async function digests(options: Partial<EngineOptions>): Promise<SystemDigest[]> {
  const published: SystemDigest[] = []
  const world = globeWorld()
  for (let i = 0; i < SHIPS; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
  const { engine, clock } = testEngine({
    world,
    onDigest: (digest) => published.push(digest),
    ...options,
  })
  const { timeScale = 1 } = options
  // Orders come between two boundaries at which they act: rounding must not choose.
  await clock.advance(30 / timeScale)
  for (let second = 0; second < GAME_SECONDS; second += 20) {
    const ship = `ship-${(second / 20) % SHIPS}`
    engine.control(ship, { thrustLevel: (second % 7) / 10, attitude: [1, second, 2, 3] })
    await clock.advance((1000 * 20) / timeScale)
  }
  return published
}

const expected = await digests({ tickRate: 1 })

it('publishes a digest at each multiple of 64 s', () => {
  expect(expected.length).toBe(Math.floor(GAME_SECONDS / 64) - 1)
  expect(new Set(expected.map(({ digest }) => digest)).size).toBe(expected.length)
})

const courses = [
  { tickRate: 0.1 },
  { tickRate: 10, timeScale: 100 },
  { tickRate: 1, adaptiveTickRate: true },
  { tickRate: 10 },
  { tickRate: 7.3 },
  { tickRate: 0.7, timeScale: 0.5 },
]

it.each(courses.slice(0, byTier({ gate: 3, night: 6 })))(
  'publishes the same with %o',
  async (options) => {
    expect(await digests(options)).toEqual(expected)
  },
)
