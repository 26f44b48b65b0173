/**
 * Law: a ship under an order flies the same bits whatever ships its thread has flown before it.
 * Goal: meetings and transfers between bodies, flown chunk by chunk, and in the opposite order with
 * a chunk of another world before each; a search that reads what another one left differs.
 */
import { bodyIndex, solSystem } from '@orrery/catalog'
import type { Pool, World } from '@orrery/engine/testing'
import { QUANTA_PER_SECOND, SHIP_COLUMNS, advanceChunk } from '@orrery/sim'
import { type Chance, createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { flyWorlds } from '../../src/flown-universe.ts'
import { writeOrders } from '../../src/world/intake.ts'
import { completeNear } from '../../src/world/world.ts'
import { callingThread } from '../globe.ts'
import { cross, randomDirection, unit } from '../maneuvers/random-flight-orders.ts'
import { CHECKPOINT_NODE, type PlacedState, solFlight } from '../maneuvers/sol-flight.ts'

const { ships, ticks } = byTier({
  gate: { ships: 24, ticks: 4 },
  night: { ships: 210, ticks: 40 },
})

/** A search takes 152 s, or as many as it has cells. */
const TICK_SECONDS = 60

/** Small worlds spread their ships over all chunks. */
const SHIPS_MAX = 8192

const seed = testSeed('beside others')

/** Between them lead ways of all kinds: out to moons and down from them, and about the Sun. */
const BODIES = ['Earth', 'Moon', 'Mars', 'Venus', 'Jupiter', 'Callisto', 'Saturn', 'Titan']

/** Numbers of new ships whose way to each other is lost when oblateness is added. */
const NEW_SHIPS = 120
const CLOSED_WAYS = [
  [24, 71],
  [34, 113],
  [68, 83],
  [78, 61],
] as const

function orderedWorld(random: Chance): World {
  const flight = solFlight(CHECKPOINT_NODE, SHIPS_MAX)
  const order = { timeout: 3e8, params: [] }
  const fleet = Array.from({ length: NEW_SHIPS }, (_, i) => flight.add(`new-${i}`))
  for (const [from, to] of CLOSED_WAYS) {
    flight.order(fleet[from - 1], { ...order, maneuver: 'rendezvous', ship: to })
  }
  for (let i = 0; i < ships; i++) {
    const name = BODIES[i % BODIES.length]
    const body = bodyIndex(solSystem, name)
    const { gm, radius } = solSystem.bodies[body]
    const orbit = (): PlacedState => {
      const r = radius * (1.1 + 2 * random.share())
      const ahead = randomDirection(random)
      const side = unit(cross(randomDirection(random), ahead))
      const speed = Math.sqrt((gm / r) * (1 + 0.3 * random.share()))
      return {
        body: name,
        position: ahead.map((x) => r * x),
        velocity: side.map((x) => speed * x),
      }
    }
    const ship = flight.add(`ship-${i}`, orbit())
    const target = flight.add(`target-${i}`, orbit())
    const to = bodyIndex(solSystem, random.pick(BODIES))
    const aim = { maneuver: 'transfer', body: to } as const
    const mate = { maneuver: 'rendezvous', ship: target.number } as const
    flight.order(ship, { ...order, ...random.pick([aim, mate]) })
  }
  return flight.world
}

/** Flies the chunks of a world from the last one on; before each, one of another world. */
function inTurns({ flight, state }: World, other: World): Pick<Pool, 'advance'> {
  return {
    advance: ([own, others]) => {
      for (let step = 0; step < state.chunks; step++) {
        if (others) advanceChunk(other.flight, step, others.target)
        if (own) advanceChunk(flight, state.chunks - 1 - step, own.target)
      }
      return Promise.resolve()
    },
  }
}

async function fly(worlds: readonly World[], flier: Pick<Pool, 'advance'>): Promise<void> {
  const target = worlds[0].index + TICK_SECONDS * QUANTA_PER_SECOND
  for (const world of worlds) {
    completeNear(world, target)
    writeOrders(world.intake, world.roster, world.state, target)
  }
  await flyWorlds(worlds, flier, target)
  for (const world of worlds) world.index = target
}

it('flies orders alone as beside others', async () => {
  const alone = orderedWorld(createChance(seed))
  const beside = orderedWorld(createChance(seed))
  const other = orderedWorld(createChance(seed + 1))
  const plain = callingThread(alone)
  const turned = inTurns(beside, other)
  for (let tick = 0; tick < ticks; tick++) {
    await fly([alone], plain)
    await fly([beside, other], turned)
  }
  const differs = ({ name }: { readonly name: keyof typeof alone.state.ships }): boolean => {
    const bytes = ({ state }: World): Uint8Array => {
      const { buffer, byteOffset, byteLength } = state.ships[name]
      return new Uint8Array(buffer, byteOffset, byteLength)
    }
    return Buffer.compare(bytes(beside), bytes(alone)) !== 0
  }
  expect(SHIP_COLUMNS.filter(differs).map(({ name }) => name)).toEqual([])
  const { activity } = alone.state.ships
  expect(activity.some((one) => one > 0)).toBe(true)
})
