// Law: what a host has just taken is durable at once, so that followers show it, and begins past
// what was shown; what it cannot fly is named; no tick waits for the database. Method: the game
// without a network on a real database, whose own clock stands still.
import { type Bus, createLocalBus } from '@orrery/bus'
import { hostOf, SYSTEM_IDS } from '../../src/index.ts'
import { Placement } from '../../src/hosting/placement.ts'
import {
  type Watermark,
  decodeStreamMessage,
  encodeStreamMessage,
  rowSubject,
} from '../../src/streaming/stream-message.ts'
import { systemClock } from '@orrery/engine/testing'
import { beats, giveSystems } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import {
  type TestGame,
  callingThread,
  openGameDatabase,
  openTestGame,
  until,
} from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const [, FAR = ''] = SYSTEM_IDS

/** Of an owner at a moment. */
const MARK: Watermark = {
  kind: 'mark',
  era: 1,
  fence: 1,
  sequence: 0,
  index: 0,
  remainder: ['0', '1'],
  tick: 9,
  tickRate: 1,
  timeScale: 1,
  paused: false,
}

const HOST = hostOf('http://h1', '1.0.0')
const OTHER = hostOf('http://h2', '1.0.0')

let game: TestGame
let placement: Placement

afterEach(async () => {
  await placement.stop()
  await game.crash()
})

/** A new game on one host, that has flown. */
async function placed({
  bus,
  mayTake = false,
  journal,
}: {
  readonly bus?: Bus
  readonly mayTake?: boolean
  readonly journal?: Pick<TestGame['journalWriter'], 'durable'>
} = {}): Promise<{
  owned: string[]
  unfollowed: (readonly [systemId: string, wasMisled: boolean])[]
  unflyable: string[]
  errors: unknown[]
}> {
  await empty()
  game = await openTestGame(database, { createPool: callingThread })
  const { engine, journalWriter, records } = game
  const owned: string[] = []
  const unfollowed: (readonly [string, boolean])[] = []
  const unflyable: string[] = []
  const errors: unknown[] = []
  const error = (fields: unknown): void => void errors.push(fields)
  placement = new Placement({
    sql,
    bus,
    engine,
    host: HOST,
    owner: records.owner,
    era: () => 1,
    journal: journal ?? journalWriter,
    clock: systemClock,
    logger: { info: () => undefined, error, fatal: () => undefined },
    mayTake: async () => mayTake,
    onDigest: () => undefined,
    onOwned: (systemId) => owned.push(systemId),
    onUnfollowed: (...of) => unfollowed.push(of),
    onUnflyable: (systemId) => unflyable.push(systemId),
    onGiven: () => undefined,
    isUnfit: () => false,
    onDrained: () => undefined,
  })
  await game.fly(1)
  await journalWriter.durable()
  return { owned, unfollowed, unflyable, errors }
}

test('the first clock of a system that is taken becomes durable at once', async () => {
  const { owned, unflyable } = await placed()
  await placement.follow([FAR])
  await giveSystems(sql, game.records.owner, { systems: [FAR], host: HOST.incarnation })
  await game.fly(1)
  const durable = async (): Promise<number> => {
    const [{ index }] = await sql<[{ index: number }]>`
      select max(lattice)::float8 as index from clock where system = ${FAR}`
    return index
  }
  const before = await durable()
  placement.start()
  await until(async () => (await durable()) > before)
  expect(owned).toEqual([FAR])
  expect(unflyable).toEqual([])
})

test('a system that is taken and cannot be flown on is named, and not owned', async () => {
  const { owned, unfollowed, unflyable } = await placed()
  await placement.follow([FAR])
  await sql`
    insert into journal (era, system, sequence, lattice, command)
    select 1, ${FAR}, max(sequence) + 1, max(lattice), '{"kind": "unheard_of"}'
    from clock where system = ${FAR}`
  await sql`update clock set sequence = sequence + 1 where system = ${FAR}`
  await until(() => unfollowed.length > 0)
  expect(unfollowed).toEqual([[FAR, false]])
  await giveSystems(sql, game.records.owner, { systems: [FAR], host: HOST.incarnation })
  placement.start()
  await until(() => unflyable.length > 0)
  expect(new Set(unflyable)).toEqual(new Set([FAR]))
  expect(owned).toEqual([])
  expect(game.records.owner.claims().has(FAR)).toBe(false)
})

test('a system that was led further than its owner has come is followed no more', async () => {
  const bus = createLocalBus()
  const { unfollowed } = await placed({ bus })
  await placement.follow([FAR])
  const [{ sequence, lattice }] = await sql<[{ sequence: number; lattice: number }]>`
    select max(sequence)::float8 as sequence, max(lattice)::float8 as lattice
    from clock where system = ${FAR}`
  const led = { ...MARK, fence: 9, sequence, index: lattice + 640 }
  bus.publish(rowSubject(FAR, 9), encodeStreamMessage(led))
  const world = game.engine.universe.worlds.find(({ state }) => state.system.id === FAR)
  await until(() => world?.index === lattice + 640)
  const command = { kind: 'rename_ship', shipId: randomUUID(), name: 'Late' }
  await sql`
    insert into journal (era, system, sequence, lattice, command)
    values (1, ${FAR}, ${sequence + 1}, ${lattice + 64}, ${sql.json(command)})`
  await sql`
    update clock set sequence = sequence + 1, lattice = lattice + 64
    where system = ${FAR} and lattice = ${lattice}`
  await until(() => unfollowed.length > 0)
  expect(unfollowed).toEqual([[FAR, true]])
})

test('a system of an owner that still publishes is taken once followers pass over it', async () => {
  const bus = createLocalBus()
  const { owned } = await placed({ bus, mayTake: true })
  await placement.follow([FAR])
  await sql`insert into host ${sql({ ...OTHER, beats: 1 })}`
  await giveSystems(sql, game.records.owner, { systems: [FAR], host: OTHER.incarnation })
  const [{ fence, sequence, lattice }] = await sql<
    [{ fence: number; sequence: number; lattice: number }]
  >`
    select fence::float8 as fence, max(clock.sequence)::float8 as sequence,
      max(lattice)::float8 as lattice
    from clock join system_owner using (system) where system = ${FAR} group by fence`
  let claimedMs = Infinity
  const seen = bus.subscribe(rowSubject(FAR), (payload) => {
    const message = decodeStreamMessage(payload)
    if (message.fence === fence) return
    expect(message).toEqual({ kind: 'rows', era: 1, fence: fence + 1, rows: [] })
    claimedMs = performance.now()
  })
  const publishing = setInterval(() => {
    const mark = { ...MARK, fence, sequence, index: lattice }
    bus.publish(rowSubject(FAR, fence), encodeStreamMessage(mark))
  }, 50)
  placement.start()
  await until(() => claimedMs < Infinity)
  expect(owned).toEqual([])
  clearInterval(publishing)
  await until(() => owned.length > 0)
  expect(performance.now() - claimedMs).toBeGreaterThan(240)
  seen.end()
})

test('ticks go on while the commands of a followed system are read', async () => {
  await placed()
  await placement.follow([FAR])
  const { tick } = game.engine.status()
  await sql.begin(async (transaction) => {
    await transaction`lock table journal in access exclusive mode`
    await sql`update clock set sequence = sequence + 1 where system = ${FAR}`
    await until(async () => {
      const waiting = await transaction`
        select from pg_locks where relation = 'journal'::regclass and not granted`
      return waiting.length > 0
    })
    await game.fly(1)
    expect(game.engine.status().tick).toBeGreaterThan(tick)
  })
})

test('a world whose journal is not durable does not stand for long to give a system', async () => {
  let asked = 0
  const journal = {
    durable: () => {
      asked++
      return new Promise<never>(() => undefined)
    },
  }
  const { errors } = await placed({ journal })
  const session = await sql.reserve()
  const otherBeats = beats(session, OTHER)
  await otherBeats.beat({ load: 0, lag: 0 })
  const beating = setInterval(() => {
    otherBeats.beat({ load: 0, lag: 0 }).catch(() => undefined)
  }, 200)
  await sql`update system_owner set wanted_host = ${OTHER.incarnation} where system = ${FAR}`
  // At rest from the first look on, and not from the end of the next tick.
  await game.engine.pause()
  placement.start()
  await until(() => errors.length > 0)
  expect(errors).toEqual([{ reason: 'The journal was not durable within 1000 ms.' }])
  expect(asked).toBe(1)
  await game.engine.resume()
  await game.fly(1)
  expect(game.records.owner.claims().has(FAR)).toBe(true)
  clearInterval(beating)
  session.release()
})
