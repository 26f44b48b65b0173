// Law: a mirror shows what its owner shows, to the bit at equal indices, through commands, a pause
// and another era; what pilots are sent comes with it, and commands go to the owner.
// Method: the game without a network on a real database, flown by calls; ships fly on this thread.
import { createLocalBus } from '@orrery/bus'
import { type Mirror, createMirror } from '@orrery/engine'
import { type Pool, inside, systemClock } from '@orrery/engine/testing'
import { settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type MirroredWorld,
  type MirroredWorldOptions,
  announceOwner,
  createMirroredWorld,
} from '../../src/index.ts'
import {
  type TestGame,
  callingThread,
  openGameDatabase,
  openTestGame,
  until,
} from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

let game: TestGame
let mirror: Mirror
let ending: AbortController
let following: Promise<void>
/** what the mirror reported, in order */
let reports: string[]

beforeEach(async () => {
  await empty()
  await settings(database.sql).save({ tickRate: 10, timeScale: 100 })
  game = await openTestGame(database, { createPool: callingThread })
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  reports = []
  mirror = createMirror({
    clock: systemClock,
    shipsMax: 256,
    settings: () => ({ adaptiveTickRate: false, timeSyncEnabled: false, goalMs: undefined }),
    commands: {
      execute: (command, by) => game.engine.execute(command, by),
      control: async (...order) => game.engine.control(...order),
    },
    onPublish: () => void (reports.at(-1) === 'published' || reports.push('published')),
    onCommand: (systemId, { kind }) => reports.push(`${kind} in ${systemId}`),
    onOrdered: (shipId) => reports.push(`ordered ${shipId}`),
    onEvent: ({ kind }) => reports.push(kind),
    onReplaced: () => reports.push('replaced'),
  })
  ending = new AbortController()
  following = newWorld().follow(ending.signal)
})

function newWorld(changes: Partial<MirroredWorldOptions> = {}): MirroredWorld {
  return createMirroredWorld({
    onOtherPhysics: () => undefined,
    sql: database.sql,
    shipsMax: 256,
    mirror,
    clock: systemClock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    createPool: (universe): Pool => callingThread(inside(universe)),
    onOpened: () => undefined,
    onAway: () => undefined,
    onBack: () => undefined,
    ...changes,
  })
}

afterEach(async () => {
  ending.abort()
  await following
  mirror.stop()
  await game.crash()
})

/** Flies the owner, and waits until the mirror shows the same moment. */
async function bothFlown(ticks: number): Promise<void> {
  const { engine, journalWriter } = game
  await game.fly(ticks)
  await journalWriter.durable()
  const { index, tick, sequences } = engine.clock()
  const isShown = (): boolean => mirror.moment?.index === index && mirror.moment.tick === tick
  await until(isShown)
  for (const [systemId, sequence] of Object.entries(sequences)) {
    await mirror.shows(systemId, sequence)
  }
}

async function expectSame(): Promise<void> {
  const { engine } = game
  expect(await mirror.ship(SHIP)).toEqual(await engine.ship(SHIP))
  const { index, offset } = engine.sky()
  expect(mirror.sky()).toMatchObject({ index, offset })
  expect(mirror.systems()).toEqual(engine.systems())
  // The span in which they are known is each process's own.
  const span = { fromMs: expect.any(Number), untilMs: expect.any(Number) }
  expect(mirror.bodies('sol')).toEqual({ ...engine.bodies('sol'), ...span })
  const { tick, gameTimeMs, paused, tickRate, timeScale, ships } = engine.status()
  expect(mirror.status()).toMatchObject({ tick, gameTimeMs, paused, tickRate, timeScale, ships })
}

test('a mirror that could not follow tries again when an owner is announced', async () => {
  ending.abort()
  await following
  await game.crash()
  await empty()
  const bus = createLocalBus()
  ending = new AbortController()
  const opened = Promise.withResolvers<void>()
  // No other attempt comes.
  const never = { ...systemClock, after: () => () => undefined }
  const world = newWorld({ bus, clock: never, onOpened: () => opened.resolve() })
  following = world.follow(ending.signal)
  await until(() => world.failure() !== undefined)
  game = await openTestGame(database, { createPool: callingThread })
  announceOwner(bus, 'sol')
  await opened.promise
  expect(world.failure()).toBeUndefined()
})

test('a mirror shows each moment of its owner to the bit, and reports what happens', async () => {
  await bothFlown(1)
  await expectSame()
  expect(reports).toEqual(['published'])
  reports.length = 0
  const { index, kept } = await mirror.steer(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  await kept
  expect(index).toBeGreaterThan(game.engine.universe.worlds[0].index)
  await bothFlown(15)
  await expectSame()
  expect((await mirror.ship(SHIP))?.thrustLevel).toBe(0.5)
  expect(reports).toContain(`ordered ${SHIP}`)
  await mirror.execute({ kind: 'transfer_ship', shipId: SHIP, systemId: 'trappist-1' })
  await bothFlown(1)
  await expectSame()
  const moved = ['depart_ship in sol', 'arrive_ship in trappist-1', 'transferred']
  expect(reports).toEqual(expect.arrayContaining(moved))
  await game.engine.pause()
  await mirror.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Ada' })
  await bothFlown(0)
  await expectSame()
  expect((await mirror.ship(SHIP))?.name).toBe('Ada')
  expect(reports.slice(-2)).toEqual(['rename_ship in trappist-1', 'published'])
})

test('a mirror publishes a moment once, whatever acts at it', async () => {
  await bothFlown(1)
  await until(() => reports.length > 0)
  reports.length = 0
  for (const name of ['Ada', 'Eve']) {
    await mirror.execute({ kind: 'rename_ship', shipId: SHIP, name })
    await mirror.shows('sol', game.engine.clock().sequences['sol'])
    expect((await mirror.ship(SHIP))?.name).toBe(name)
  }
  expect(reports).toEqual(['rename_ship in sol', 'rename_ship in sol'])
  await bothFlown(1)
  expect(reports.at(-1)).toBe('published')
})

test('a mirror goes over to another era, as a whole', async () => {
  await bothFlown(2)
  const { id } = await game.keeper.snapshot()
  await bothFlown(5)
  await game.keeper.restore(id)
  await until(() => reports.includes('replaced'))
  expect(mirror.moment?.era).toBe(2)
  await bothFlown(3)
  await expectSame()
  expect(reports.at(-1)).toBe('published')
})
