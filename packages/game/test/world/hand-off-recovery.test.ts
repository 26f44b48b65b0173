// Law: a crash between a ship's departure from one star system and its arrival in another neither
// loses the ship nor repeats a part of its way. Method: the game without a network on a real
// database, broken off when only the departure is durable, and stored rows changed by hand; ships
// fly on this thread, as another for each start would take most of the time.
import {
  type AnyHandOff,
  type HandOff,
  type SystemCommand,
  applyCommand,
  findShip,
  isInTransit,
} from '@orrery/engine/testing'
import { settings } from '@orrery/store'
import { byTier } from '@orrery/testkit/tier'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestGame, callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

let game: TestGame

beforeEach(async () => {
  await empty()
  await settings(sql).save({ tickRate: 10, timeScale: 100 })
  game = await openTestGame(database, { createPool: callingThread })
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  game.engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await game.fly(3)
})

afterEach(() => game.crash())

/** Takes the ship out of its system; the caller crashes before the arrival. */
function departed(to: string, shipId: string = SHIP): Promise<HandOff | undefined> {
  return applied({ kind: 'depart_ship', shipId, to })
}

/** Executes and journals a command to the solar system alone. */
async function applied(
  command: Exclude<SystemCommand, { kind: `${string}_account` }>,
): Promise<HandOff | undefined> {
  const [sol] = game.engine.universe.worlds
  const handOff = applyCommand(sol, command)
  const { index, intake } = sol
  const place = { systemId: 'sol', sequence: intake.sequence, index, actor: null }
  await game.journalWriter.keep({
    ...place,
    seal: () => command,
    // An arrival here has no departure of its own.
    ...(handOff && command.kind === 'depart_ship' && { departure: handOff }),
  })
  return handOff
}

async function restart(): Promise<void> {
  await game.journalWriter.durable()
  await game.crash()
  game = await openTestGame(database, { createPool: callingThread })
}

/** Where the ship is, with what is known of it between two systems. */
function place(): string | AnyHandOff | undefined {
  const { universe } = game.engine
  if (!isInTransit(universe, SHIP)) return findShip(universe, SHIP)?.world.state.system.id
  expect(findShip(universe, SHIP)).toBeUndefined()
  return universe.worlds[0].departed.get(SHIP)
}

/** The journalled departures and arrivals, by system. */
async function moves(): Promise<string[]> {
  const rows = await sql`
    select command ->> 'kind' as kind, system from journal
    where command ->> 'kind' in ('depart_ship', 'arrive_ship') order by lattice, kind desc`
  return rows.map(({ kind, system }) => `${kind} ${system}`)
}

/** Brings the ship in, and checks that the next start finds all as it was, to the bit. */
async function arrivedOnce(systemId: string): Promise<void> {
  await game.engine.completeHandOffs()
  expect(place()).toBe(systemId)
  expect(await game.records.journal.inTransit(1)).toEqual([])
  await game.fly(2)
  const before = await game.engine.image()
  await restart()
  expect(game.opened.header).toEqual(before.header)
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  await game.engine.completeHandOffs()
  expect(place()).toBe(systemId)
  expect(await moves()).toEqual(['depart_ship sol', `arrive_ship ${systemId}`])
}

test('a ship whose arrival a crash took away is in transit, then arrives once', async () => {
  const departure = await departed('trappist-1')
  await game.fly(2)
  await restart()
  expect(place()).toEqual(departure)
  await expect(game.engine.ship(SHIP)).rejects.toMatchObject({ code: 'ERR_IN_TRANSIT' })
  expect(game.engine.status().ships).toBe(1)
  await restart()
  expect(place(), 'after another crash').toEqual(departure)
  await arrivedOnce('trappist-1')
  expect(await game.engine.ship(SHIP)).toMatchObject({ name: 'Ida', fuel: departure?.ship.fuel })
})

test('a ship in transit outlasts snapshots, in which it is not', async () => {
  const departure = await departed('trappist-1')
  await game.fly(1)
  await game.keeper.snapshot()
  await restart()
  expect(game.log).toMatchObject([['info', 'world recovered', { snapshot: 2, commands: 0 }]])
  expect(place()).toEqual(departure)
  await arrivedOnce('trappist-1')
})

test('a ship that departed to a system that is gone returns to where it left', async () => {
  const departure = await departed('andromeda')
  await restart()
  await game.engine.completeHandOffs()
  const view = await game.engine.ship(SHIP)
  expect(view).toMatchObject({
    systemId: 'sol',
    relativePosition: departure?.ship.position,
    relativeVelocity: departure?.ship.velocity,
    // A view's quaternion is normalized.
    attitude: departure?.ship.attitude.map((value) => expect.closeTo(value, 14)),
    fuel: departure?.ship.fuel,
    thrustLevel: 0,
  })
  await arrivedOnce('sol')
})

const ARRIVES = 'arrives beside the gate, once'
const COMES_BACK = 'comes back, as that gate is gone'

test.each(byTier({ gate: [ARRIVES], night: [ARRIVES, COMES_BACK] }))(
  'a ship whose jump a crash interrupts %s',
  async (outcome) => {
    const [sol, centauri] = game.engine.universe.worlds
    const [entry] = sol.jumpgates.keys()
    const [exit] = centauri.jumpgates.keys()
    const { ship, ...rest } = (await departed('sol'))!
    const passage = { jumpgateId: entry, offset: [30, 40, 50], velocity: [1, 2, 3] } as const
    const beside = JSON.parse(JSON.stringify({ ...passage }))
    await applied({
      kind: 'arrive_ship',
      handOff: { ...rest, from: 'elsewhere', ship, passage: beside },
    })
    const through = { entry, exit }
    const departure = await applied({
      kind: 'depart_ship',
      shipId: SHIP,
      to: 'alpha-centauri',
      through,
    })
    const near = (values: readonly number[]): unknown[] =>
      values.map((value) => expect.closeTo(value, 3))
    expect(departure?.passage).toEqual({
      jumpgateId: exit,
      offset: near(passage.offset),
      velocity: near(passage.velocity),
    })
    await restart()
    expect(place()).toEqual(departure)
    await game.keeper.snapshot()
    await restart()
    expect(place(), 'by the stored row alone').toEqual(departure)
    const isGone = outcome === COMES_BACK
    if (isGone) await game.engine.execute({ kind: 'remove_jumpgate', jumpgateId: exit })
    await game.engine.completeHandOffs()
    expect(place()).toBe(isGone ? 'sol' : 'alpha-centauri')
    expect(await game.records.journal.inTransit(1)).toEqual([])
    const before = await game.engine.image()
    await restart()
    expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  },
)

const damaged = ['damaged', storeDamaged] as const
const foreign = ['foreign', storeForeign] as const

test.each(byTier({ gate: [damaged], night: [damaged, foreign] }))(
  'a replayed departure counts where the stored one is %s',
  async (kind, store) => {
    const departure = await departed('trappist-1')
    if (departure) await store(departure)
    await restart()
    const isReported = game.log.some(([, message]) => message === 'a stored hand-off is damaged')
    expect(isReported).toBe(kind === 'damaged')
    expect(place()).toEqual(departure)
    await game.keeper.snapshot()
    await restart()
    expect(place(), 'without the replay the ship is lost').toBeUndefined()
    expect(game.engine.status().ships).toBe(0)
    await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
    await sql`update snapshot set checksum = '' where id = 2`
    await restart()
    expect(place(), 'with the replay the new ship counts').toBe('sol')
  },
)

function storeDamaged(ship: HandOff): Promise<unknown> {
  return sql`update hand_off set ship = ${JSON.stringify({ ...ship, name: 'Max' })}`
}

/** Stores another ship, sound, as the one that departed. */
function storeForeign(ship: HandOff): Promise<unknown> {
  const { owner, journal } = game.records
  const { index: lattice, sequences, ...clock } = game.engine.clock()
  const key = { systemId: ship.from, lattice: ship.index, shipId: SHIP }
  return journal.append({
    era: 1,
    owner,
    rows: [],
    clock: { ...clock, lattice },
    sequences,
    digests: [],
    departures: [{ ...key, ship: JSON.stringify({ ...ship, shipId: 'other' }), state: 'departed' }],
  })
}

const TARGETS = byTier({ gate: ['trappist-1'], night: ['trappist-1', 'andromeda'] })

test.each(TARGETS)('an account deleted while its ship goes to %s leaves nothing', async (to) => {
  const grace = await game.accountChanges.createPlayer('Grace', 'password')
  const { playerId, shipId } = grace
  const departure = await departed(to, shipId!)
  await restart()
  expect(game.engine.universe.worlds[0].departed.get(shipId!)).toEqual(departure)
  await game.accountChanges.removeOwn(grace)
  const left = async (): Promise<unknown> => ({
    ship: await game.engine.ship(shipId!),
    account: await game.records.accounts.byId(playerId),
    rows: await game.records.journal.inTransit(1),
    ships: game.engine.status().ships,
    errors: game.errors,
  })
  const nothing = { ship: undefined, account: undefined, rows: [], ships: 1, errors: [] }
  expect(await left()).toEqual(nothing)
  await game.fly(2)
  const before = await game.engine.image()
  await restart()
  expect(await left(), 'after a restart').toEqual(nothing)
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
})

test('a ship may go to and fro at one moment, in one batch and in several', async () => {
  const transfer = (systemId: string): Promise<number> =>
    game.engine.execute({ kind: 'transfer_ship', shipId: SHIP, systemId })
  await Promise.all(['trappist-1', 'sol', 'trappist-1'].map(transfer))
  for (const systemId of ['sol', 'alpha-centauri']) await transfer(systemId)
  expect(game.errors).toEqual([])
  const before = await game.engine.image()
  await restart()
  expect(Buffer.compare(game.opened.bytes, before.bytes)).toBe(0)
  expect(place()).toBe('alpha-centauri')
  expect(await game.records.journal.inTransit(1)).toEqual([])
})
