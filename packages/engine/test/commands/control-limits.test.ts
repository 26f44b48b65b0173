/**
 * Law: control commands take their places in order, and what waits is bounded: by ship, by the
 * order table and by the sighting table. Method: the intake alone, filled to its limits.
 */
import { type Control, ORDERS_MAX, WATCHERS_MAX, loadShip } from '@orrery/sim'
import { addShip } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { steerShip } from '../../src/commands/steering.ts'
import {
  POINTING_MAX,
  type Intake,
  PENDING_PER_SHIP_MAX,
  type PendingControl,
  acceptControl,
  createIntake,
  requireRoomToWatch,
  requireWithinReach,
  writeOrders,
} from '../../src/world/intake.ts'
import { type RosterEntry, createRoster } from '../../src/world/roster.ts'
import { START_INDEX, globeWorld } from '../globe.ts'

const ship = (number: number): RosterEntry => {
  return { number, slot: 0, shipId: `ship-${number}`, name: 'Ship' }
}

const accept = (intake: Intake, number: number, shown: number): PendingControl =>
  acceptControl(intake, ship(number), { thrustLevel: 1 }, shown, START_INDEX)

it('gives no command of a ship an earlier index than the one before', () => {
  const intake = createIntake()
  const late = accept(intake, 1, START_INDEX + 400)
  late.isOpen = false
  const indices = [START_INDEX + 8, START_INDEX + 500, START_INDEX + 100].map(
    (shown) => accept(intake, 1, shown).index - START_INDEX,
  )
  expect(indices).toEqual([400, 500, 500])
  expect(accept(intake, 2, START_INDEX + 8).index).toBe(START_INDEX + 8)
})

it('gives a command the index that it asks for, unless its ship is later', () => {
  const shown = START_INDEX + 40.5
  const asked = (ahead: number, from = createIntake()): number =>
    acceptControl(from, ship(1), { thrustLevel: 1 }, shown, START_INDEX, START_INDEX + ahead)
      .index - START_INDEX
  expect([44, 48, 168].map((ahead) => asked(ahead))).toEqual([44, 48, 168])
  // Too early: where the intake would have put it.
  expect([-1e9, 0, 40, -START_INDEX].map((ahead) => asked(ahead))).toEqual([44, 44, 44, 44])
  const known = createIntake()
  expect([100, 60, 120].map((ahead) => asked(ahead, known))).toEqual([100, 100, 120])
  expect(accept(known, 1, shown).index).toBe(START_INDEX + 120)
  // A tick that runs has decided more than is shown.
  const settled = acceptControl(createIntake(), ship(1), {}, shown, shown + 60, START_INDEX + 80)
  expect(settled.index).toBe(START_INDEX + 104)
})

it('refuses an index that is more than 2 s ahead by game time and by real time', () => {
  const shown = START_INDEX + 40.5
  const ask = (ahead: number, scale: number) => (): void =>
    requireWithinReach(START_INDEX + ahead, shown, scale)
  const refusal = expect.objectContaining({ code: 'ERR_CONTROL' })
  const limits = [
    [168, 0.1],
    [168, 1],
    [1320, 10],
    [12_840, 100],
  ] as const
  for (const [ahead, scale] of limits) {
    expect(ask(ahead, scale), `${ahead} at scale ${scale}`).not.toThrow()
    expect(ask(ahead + 4, scale), `${ahead + 4} at scale ${scale}`).toThrow(refusal)
  }
  for (const ahead of [1e300, Infinity, NaN]) expect(ask(ahead, 100)).toThrow(refusal)
})

it('refuses what takes an engine, where modules leave the ship no thrust', () => {
  const world = globeWorld()
  addShip(world, 'a', 'Anna')
  const entry = world.roster.byId.get('a')!
  const order = (control: Control) => (): PendingControl => {
    return steerShip(world, entry, control, START_INDEX)
  }
  const escape = { maneuver: 'escape', timeout: 100, params: [] } as const
  loadShip(world.flight, entry.slot, START_INDEX, { payload: 0, thrust: 0 })
  const refusal = { code: 'ERR_CONTROL', message: 'The ship has no thrust.' }
  for (const control of [{ thrustLevel: 0.1 }, { maneuver: escape }]) {
    expect(order(control)).toThrow(expect.objectContaining(refusal))
  }
  expect(order({ thrustLevel: 0, pointing: 'prograde' })).not.toThrow()
  loadShip(world.flight, entry.slot, START_INDEX, { payload: 0, thrust: 0.01 })
  expect(order({ thrustLevel: 0.1 })).not.toThrow()
})

it('fills the order table to its last row, those of a running tick included', () => {
  const world = globeWorld()
  const { intake, roster, state } = world
  const full = { code: 'ERR_COMMANDS_PENDING' }
  for (let i = 0; i < ORDERS_MAX; i++) {
    const shown = START_INDEX + 4 * (1 + (i % PENDING_PER_SHIP_MAX))
    accept(intake, 1 + Math.floor(i / PENDING_PER_SHIP_MAX), shown)
  }
  const more = (): unknown => accept(intake, ORDERS_MAX, START_INDEX + 4)
  expect(more).toThrow(expect.objectContaining(full))
  writeOrders(intake, roster, state, START_INDEX + 400)
  expect([intake.pending.length, intake.due.length]).toEqual([0, ORDERS_MAX])
  expect(more).toThrow(expect.objectContaining(full))
  writeOrders(intake, roster, state, START_INDEX + 464)
  expect(intake.due).toHaveLength(0)
  expect(more).not.toThrow()
})

it('leaves a row of the sighting table to each ship that waits to watch another', () => {
  const { state } = globeWorld()
  const roster = createRoster()
  for (let number = 1; number <= WATCHERS_MAX + 1; number++) {
    roster.byId.set(`ship-${number}`, ship(number))
  }
  const watching = (waiting: number, due: number): (() => void) => {
    const order = { ...accept(createIntake(), 1, START_INDEX), control: { target: 2 } }
    const intake = createIntake()
    intake.pending = Array.from({ length: waiting }, () => order)
    intake.due = Array.from({ length: due }, () => order)
    return () => requireRoomToWatch(intake, roster, state)
  }
  const full = expect.objectContaining({ code: 'ERR_WATCHERS' }) as Error
  expect(watching(WATCHERS_MAX - 2, 1)).not.toThrow()
  expect(watching(WATCHERS_MAX - 1, 1)).toThrow(full)
  expect(watching(0, WATCHERS_MAX)).toThrow(full)
  // So few that half of the table is enough, whatever rules take of the other.
  for (let number = 1; roster.byId.size > POINTING_MAX; number++) {
    roster.byId.delete(`ship-${number}`)
  }
  expect(watching(0, WATCHERS_MAX)).not.toThrow()
})
