/**
 * Law: a ship that its pilot's client flies ahead of the server has the server's bits, whatever its
 * class and payload. Orders that act where they were sent for move nothing, in any mode; what turns
 * out otherwise is put right.
 */
import { createShipSample } from '@orrery/client/flight'
import type { World } from '@orrery/engine/testing'
import {
  ACTIVITIES,
  BLOCK_QUANTA,
  type Control,
  FREE,
  LOCKED,
  TURNING,
  isPowered,
} from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import { LEAD, Piloted, TICK, modesWorld, placeOf, tick } from './piloted-world.ts'

const { share, below, pick } = createChance(testSeed('own ship'))

/** Longest time from one order of a ship to the next [quanta]: they come once a second. */
const APART_MAX = 124

function anyControl(): Control {
  const part = (): number => 2 * share() - 1
  return pick<() => Control>([
    () => ({ thrustLevel: share() }),
    () => ({ thrustLevel: 0 }),
    () => ({ thrustLevel: 1, deltaV: 1 + 20 * share() }),
    () => ({ thrustLevel: 0.5, seconds: 1 + 20 * share() }),
    () => ({ attitude: [part(), part(), part(), part()] }),
    () => ({ angularRate: [0.02 * part(), 0.02 * part(), 0.02 * part()], unloading: false }),
    () => ({ pointing: pick(['prograde', 'normal', 'radial_in', 'rest', 'loose', 'hold']) }),
    () => ({ pointing: 'target', body: below(2), thrustLevel: 0.1 }),
    () => ({ pointing: 'target', stationId: 'far' }),
    () => ({ pointing: 'rest', abort: true }),
    () => ({ unloading: true }),
    () => ({ undock: true }),
    () => ({ maneuver: { maneuver: 'circularize', timeout: 1e6, params: [] } }),
    () => ({ maneuver: { maneuver: 'set_orbit', timeout: 60, params: [7.5e6, 0.01, -2] } }),
    () => ({ maneuver: { maneuver: 'transfer', body: 1, timeout: 1e6, params: [] } }),
    () => ({
      maneuver: { maneuver: 'hold_station', stationId: 'low', timeout: 1e6, params: [] },
    }),
  ])()
}

/**
 * Flies all ships for some seconds, with orders at random until shortly before the end.
 *
 * @param delay  of the way of a ship's order to the server [quanta], by how many it has had
 */
function fly(seconds: number, delay: (before: number) => number): Piloted[] {
  const { world, ships } = modesWorld()
  const place = placeOf(world)
  const piloted = ships.map((entry) => new Piloted(world, place, entry))
  const begin = world.index
  const orders = piloted.map(() => ({ due: begin + LEAD, before: 0 }))
  for (let clock = begin + LEAD; clock < begin + seconds * 64; clock += 4) {
    const shown = clock - LEAD
    const isQuiet = clock > begin + (seconds - 20) * 64
    for (const [i, one] of piloted.entries()) {
      const next = orders[i]
      if (!isQuiet && clock >= next.due) {
        // The server merges those of one boundary that it may.
        const count = below(4) === 0 ? 3 : 1
        for (let k = 0; k < count; k++) one.order(anyControl(), clock, delay(next.before++))
        next.due = clock + 4 + below(APART_MAX - 3)
      }
      one.serve(shown)
    }
    if (shown >= world.index + TICK) {
      tick(world, world.index + TICK)
      for (const one of piloted) {
        one.compare()
        if (world.index % BLOCK_QUANTA === 0) one.sendCheck(shown)
      }
    }
    for (const one of piloted) one.show(clock)
  }
  return piloted
}

it('shows what the server flies, to the bit, when orders act where they were sent for', () => {
  const { seconds, checks } = byTier({
    gate: { seconds: 66, checks: ['matched'] },
    night: { seconds: 130, checks: ['matched', 'matched'] },
  })
  const piloted = fly(seconds, () => below(LEAD - 8))
  const moves = piloted.flatMap(({ corrections }) => corrections)
  expect(moves.length).toBeGreaterThan(((seconds - 30) * 64 * piloted.length) / APART_MAX)
  expect(moves.filter((metres) => metres !== 0)).toEqual([])
  for (const { entry, moved, refused, verdicts, wrong } of piloted) {
    expect([entry.shipId, moved, refused, wrong]).toEqual([entry.shipId, 0, 0, 0])
    expect(verdicts).toEqual(checks)
  }
})

it('puts right what the server lets act later', () => {
  // Every fourth is too late, however early it acts.
  const piloted = fly(52, (before) => (before % 4 === 3 ? LEAD + below(28) : below(60)))
  // An order that comes later need not move a ship.
  const moves = piloted.flatMap(({ corrections }) => corrections)
  expect(moves.some((metres) => metres > 0)).toBe(true)
  for (const { moved, verdicts } of piloted) {
    expect(moved).toBeGreaterThan(0)
    expect(verdicts).toEqual(['matched'])
  }
})

/** Checks all ships as published; returns the verdicts. */
function check(world: World, piloted: readonly Piloted[]): string[] {
  return piloted.map((one) => {
    one.show(world.index + LEAD)
    one.sendCheck(world.index - LEAD)
    one.show(world.index + LEAD)
    return one.verdicts.at(-1)!
  })
}

it.runIf(IS_NIGHT)('goes on from a seed of any moment in any mode', () => {
  const { world, ships } = modesWorld()
  const place = placeOf(world)
  const piloted = ships.map((entry) => new Piloted(world, place, entry))
  const { activity, attitudeMode, ruleCount } = world.state.ships
  const slots = ships.map(({ slot }) => slot)
  const modes = new Set<string>()
  for (let i = 0; i < 40; i++) {
    for (const slot of slots) {
      const powered = isPowered(world.state.ships, slot)
      modes.add(
        [ACTIVITIES[activity[slot]], attitudeMode[slot], powered, ruleCount[slot]].join(' '),
      )
    }
    check(world, piloted)
    expect(piloted.map((one) => one.reseed())).toEqual(piloted.map(() => 0))
    tick(world, world.index + below(6) * TICK + below(TICK))
  }
  for (const { verdicts } of piloted) expect(new Set(verdicts)).toEqual(new Set(['matched']))
  const maneuvers = ['docked', 'hold_station', 'set_orbit', 'plan']
  const turning = [TURNING, FREE].map((mode) => `none ${mode} false 0`)
  const burning = [LOCKED, TURNING].map((mode) => `none ${mode} true 0`)
  const ruled = `none ${LOCKED} false 3`
  for (const mode of [...turning, ...burning, ruled]) expect(modes).toContain(mode)
  for (const maneuver of maneuvers) expect([...modes].join()).toContain(maneuver)
})

it.runIf(IS_NIGHT)('finds what it was not sent, and goes on from another seed', () => {
  const { world, ships } = modesWorld()
  const place = placeOf(world)
  const piloted = ships.map((entry) => new Piloted(world, place, entry))
  for (const { entry } of piloted.slice(0, 5)) {
    steerShip(world, entry, { thrustLevel: 0.5, pointing: 'normal' }, world.index)
  }
  tick(world, world.index + 40 * TICK)
  expect(check(world, piloted)).toEqual(piloted.map((_, i) => (i < 5 ? 'differs' : 'matched')))
  const moves = piloted.map((one) => one.reseed())
  expect(moves.map((metres) => metres > 10)).toEqual(piloted.map((_, i) => i < 5))
  tick(world, world.index + 40 * TICK)
  expect(check(world, piloted)).toEqual(piloted.map(() => 'matched'))
})

it('does not fly after a long sleep', () => {
  const { world, ships } = modesWorld()
  const { own } = new Piloted(world, placeOf(world), ships[0])
  const out = createShipSample()
  expect(own.stateAt(out, world.index + 3600 * 64)).toBe(false)
  expect(own.stateAt(out, Number.NaN)).toBe(false)
  expect(own.stateAt(out, world.index - 100 * 64)).toBe(false)
  expect(own.index).toBe(world.index)
  expect(own.stateAt(out, world.index + 600 * 64)).toBe(true)
})
