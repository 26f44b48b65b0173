// Law: the owner of a world carries out a command of another process once, under its own claim
// only, and refuses it by the name of the reason.
// Method: the game without a network on a real database; commands come by the bus of one process.
import { type Bus, BusError, createLocalBus } from '@orrery/bus'
import { systemClock } from '@orrery/engine/testing'
import { settings } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type CommandRequest,
  type Order,
  SYSTEM_IDS,
  answerCommands,
  createCommandExecution,
  sendCommand,
} from '../../src/index.ts'
import { type TestGame, callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const RENAME: Order = { kind: 'execute', command: { kind: 'rename_ship', shipId: SHIP, name: 'B' } }

let bus: Bus
let game: TestGame
let ordered: string[]
let errors: unknown[]

beforeEach(async () => {
  await empty()
  await settings(database.sql).save({ tickRate: 10 })
  ordered = []
  errors = []
  await start()
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'A' })
})

afterEach(() => game.crash())

async function start(): Promise<void> {
  game = await openTestGame(database, { createPool: callingThread })
  bus = createLocalBus()
  const { engine, records } = game
  const carryOut = createCommandExecution({
    engine,
    fence: fenceOf,
    clock: systemClock,
    sent: (systemIds) => records.journal.sent(1, systemIds),
    onOrdered: (shipId) => ordered.push(shipId),
  })
  answerCommands(bus, {
    systemIds: [...records.owner.claims().keys()],
    fence: fenceOf,
    carryOut,
    onError: (error) => errors.push(error),
  })
}

function fenceOf(systemId: string): number {
  return game.records.owner.claims().get(systemId)?.fence ?? 0
}

function request(order: Order, changes: Partial<CommandRequest> = {}): CommandRequest {
  return { id: randomUUID(), deadlineMs: Date.now() + 60_000, actor: null, order, ...changes }
}

const sent = (command: CommandRequest, fence = fenceOf('sol'), timeoutMs = 60_000) =>
  sendCommand(bus, { systemId: 'sol', fence }, command, timeoutMs)

test('a command acts once, however often it comes', async () => {
  const { sol: before } = game.engine.clock().sequences
  const steering = request({ kind: 'control', shipId: SHIP, control: { thrustLevel: 0.5 } })
  const done = await sent(steering)
  expect(done).toMatchObject({ fence: fenceOf('sol'), sequence: before + 1 })
  expect(done.index).toBeGreaterThan(game.engine.universe.worlds[0].index)
  expect(await Promise.all([sent(steering), sent(steering)])).toEqual([done, done])
  expect(ordered).toEqual([SHIP])
  expect(game.engine.clock().sequences['sol']).toBe(before + 1)
  expect(await sent(request(RENAME))).toMatchObject({ sequence: before + 2 })
  expect(await game.engine.ship(SHIP)).toMatchObject({ name: 'B' })
})

test('a command acts after the one that it names, and not before that has come', async () => {
  const first = request({ kind: 'control', shipId: SHIP, control: { thrustLevel: 0.5 } })
  const later = request(RENAME, { after: first.id })
  await expect(sent(later)).rejects.toMatchObject({ code: 'ERR_COMMAND_EARLY' })
  expect(await game.engine.ship(SHIP)).toMatchObject({ name: 'A' })
  await Promise.all([sent(first), sent(later)])
  expect(await game.engine.ship(SHIP)).toMatchObject({ name: 'B' })
})

test('a command to a star system that names no ship is for its owner alone', async () => {
  const logging = (systemId: string): CommandRequest =>
    request({ kind: 'execute', command: { kind: 'maneuver_logging', level: 'verbose' }, systemId })
  await game.engine.followed.letGo('sol')
  await expect(sent(logging('sol'))).rejects.toMatchObject({ code: 'ERR_JOURNAL_FENCED' })
  const { 'trappist-1': before } = game.engine.clock().sequences
  const done = await sent(logging('trappist-1'))
  expect(done).toMatchObject({ fence: fenceOf('trappist-1'), sequence: before + 1 })
  const levels = game.engine.universe.worlds.map(({ isFollowed, maneuvers: { level } }) => {
    return { isFollowed, level }
  })
  expect(levels).toContainEqual({ isFollowed: false, level: 'verbose' })
  expect(levels).not.toContainEqual({ isFollowed: true, level: 'verbose' })
})

test('a command is answered when its star system is given away before it is durable', async () => {
  const { sol: before } = game.engine.clock().sequences
  const answer = sent(request(RENAME))
  while (game.engine.clock().sequences['sol'] === before) await setImmediate()
  await game.engine.followed.letGo('sol')
  expect([before, before + 1]).toContain((await answer).sequence)
  expect(game.engine.clock().sequences).not.toHaveProperty('sol')
  expect(errors).toEqual([])
})

test('a command whose star system is given away before it acts has not come', async () => {
  const { engine, records } = game
  const isGiven = Promise.withResolvers<void>()
  const carryOut = createCommandExecution({
    engine,
    fence: fenceOf,
    clock: systemClock,
    sent: (systemIds) => isGiven.promise.then(() => records.journal.sent(1, systemIds)),
    onOrdered: () => undefined,
  })
  const refused = request(RENAME)
  const answer = carryOut(refused)
  await engine.followed.letGo('sol')
  isGiven.resolve()
  await expect(answer).rejects.toMatchObject({ code: 'ERR_JOURNAL_FENCED' })
  const command = { kind: 'maneuver_logging', level: 'verbose' } as const
  const order: Order = { kind: 'execute', command, systemId: 'trappist-1' }
  const later = carryOut(request(order, { after: refused.id }))
  await expect(later).rejects.toMatchObject({ code: 'ERR_COMMAND_EARLY' })
})

test('after a kill before its answer a command is answered as before, and acts once', async () => {
  const orders: Order[] = [
    { kind: 'control', shipId: SHIP, control: { thrustLevel: 0.5 } },
    { kind: 'control', shipId: SHIP, control: { pointing: 'prograde' } },
    RENAME,
    { kind: 'execute', command: { kind: 'transfer_ship', shipId: SHIP, systemId: 'trappist-1' } },
  ]
  const requests = orders.map((order) => request(order))
  // The first two merge into one row.
  const done = await Promise.all(requests.map((one) => sent(one)))
  const { sequences } = game.engine.clock()
  const fence = fenceOf('sol')
  await game.crash()
  await start()
  expect(fenceOf('sol')).toBeGreaterThan(fence)
  const again = await Promise.all(requests.map((one) => sent(one)))
  for (const [place, { index, sequence }] of again.entries()) {
    expect(index).toBe(done[place].index)
    expect(sequence).toBeLessThanOrEqual(done[place].sequence)
  }
  expect(game.engine.clock().sequences).toEqual(sequences)
  expect(new Set(again.map(({ sequence }) => sequence)).size).toBe(3)
  await database.sql`update clock set written_at = written_at - interval '2 minutes'`
  expect(await game.records.journal.sent(1, SYSTEM_IDS)).toEqual([])
})

test('a process that takes a star system later knows what was done in it before', async () => {
  const { engine, records } = game
  let owned: readonly string[] = []
  const asked: (readonly string[])[] = []
  const carryOut = createCommandExecution({
    engine,
    fence: (systemId) => (owned.includes(systemId) ? fenceOf(systemId) : 0),
    clock: systemClock,
    sent: (systemIds) => {
      asked.push(systemIds)
      return records.journal.sent(1, systemIds)
    },
    onOrdered: () => undefined,
  })
  const elsewhere = request({ kind: 'control', shipId: randomUUID(), control: {} })
  await expect(carryOut(elsewhere)).rejects.toMatchObject({ code: 'ERR_SHIP_UNKNOWN' })
  const rename = request(RENAME)
  const done = await sent(rename)
  owned = ['sol']
  expect(await carryOut(rename)).toEqual(done)
  expect(engine.clock().sequences['sol']).toBe(done.sequence)
  // What it has lost, or knows already, is not read again.
  for (const now of [['trappist-1', 'sol'], ['sol']]) {
    owned = now
    await expect(carryOut(request(elsewhere.order))).rejects.toMatchObject({
      code: 'ERR_SHIP_UNKNOWN',
    })
  }
  expect(asked).toEqual([['sol'], ['trappist-1']])
})

test('a command is refused by name: late, unknown, of another claim', async () => {
  await expect(sent(request(RENAME, { deadlineMs: 1 }))).rejects.toMatchObject({
    code: 'ERR_COMMAND_LATE',
  })
  const unknown = { kind: 'control', shipId: randomUUID(), control: {} } as const
  await expect(sent(request(unknown))).rejects.toMatchObject({ code: 'ERR_SHIP_UNKNOWN' })
  const fence = fenceOf('sol')
  await expect(sent(request(RENAME), fence - 1)).rejects.toMatchObject({
    code: 'ERR_JOURNAL_FENCED',
  })
  await expect(sent(request(RENAME), fence + 1, 1)).rejects.toBeInstanceOf(BusError)
  expect(await game.engine.ship(SHIP)).toMatchObject({ name: 'A' })
  expect(errors).toEqual([])
})
