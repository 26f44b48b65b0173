// Law: hosts that stand by claim a world without an owner in the order of their ranks, leave a
// tool in peace that has the schema, and end when they are asked to. Method: hosts in this process
// on a real database.
import { createLocalBus } from '@orrery/bus'
import { type Database, openDatabase } from '@orrery/database'
import { inside, systemClock } from '@orrery/engine/testing'
import { claimSystems, listHosts, mayOwn, migrations, seenSystems } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HostBeats, type Standby, createStandby, hostOf, startBeats } from '../../src/index.ts'
import { HOME_ID } from '../../src/game-records.ts'
import { announceOwner } from '../../src/hosting/owner-news.ts'
import { rankedHosts } from '../../src/hosting/ranking.ts'
import { callingThread, until } from '../game-fixture.ts'

let database: Awaited<ReturnType<typeof openFreshDatabase>>
let opened: Database[]
let ending: AbortController
/** how often a host has asked whether a process has the schema */
let asked = 0
/** how often a host has asked whether it is unfit: it could claim then */
let unfitAsked = 0
let beating: HostBeats[]

beforeEach(async () => {
  database = await openFreshDatabase({ schema: 'game', migrations })
  opened = []
  beating = []
  asked = 0
  unfitAsked = 0
  ending = new AbortController()
})

afterEach(async () => {
  ending.abort()
  for (const beats of beating) await beats.stop()
  for (const { close } of opened) await close()
  await database.close()
})

async function open(exclusive: true | 'later'): Promise<Database> {
  const { url } = database
  const own = await openDatabase({ url, directory: '', schema: 'game', exclusive })
  opened.push(own)
  return own
}

async function standby(
  address: string,
  { clock = systemClock, beats = false, bus = createLocalBus() } = {},
): Promise<Standby> {
  const own = await open('later')
  const host = hostOf(address, '1.0.0')
  if (beats)
    beating.push(startBeats(own, host, { state: () => ({ load: 0, lag: 0 }), clock: systemClock }))
  const isReserved = (): Promise<boolean> => {
    asked++
    return own.isReserved()
  }
  return createStandby({
    database: { ...own, isReserved },
    host,
    isUnfit: () => {
      unfitAsked++
      return false
    },
    shipsMax: 256,
    createPool: (universe) => callingThread(inside(universe)),
    bus,
    clock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
  })
}

async function owners(): Promise<unknown[]> {
  return (await seenSystems(database.sql)).map(({ address }) => address)
}

test('of two that stand by for a world without an owner one takes it', async () => {
  const all = await Promise.all(['http://h1', 'http://h2'].map((address) => standby(address)))
  const ends = all.map(async (one, i) => ((await one.takeOver(ending.signal)) ? i : undefined))
  const winner = await Promise.race(ends)
  const url = ['http://h1', 'http://h2'][winner ?? NaN]
  expect(new Set(await owners())).toEqual(new Set([url]))
  const isSeen = until(() => all[1 - (winner ?? NaN)].owner() === url)
  await Promise.race([isSeen, Promise.all(ends)])
  ending.abort()
  expect((await Promise.all(ends)).filter((end) => end !== undefined)).toEqual([winner])
})

/** Two hosts that beat, the one that is to claim first. */
async function ranked(lastClock = systemClock): Promise<readonly [first: Standby, last: Standby]> {
  const hosts = ['http://h1', 'http://h2'].map((address) => hostOf(address, '1.0.0'))
  const [first, last] = rankedHosts(
    HOME_ID,
    hosts.map((host) => ({ ...host, load: 0 })),
  )
  const both = [
    await standby(first.address, { beats: true }),
    await standby(last.address, { beats: true, clock: lastClock }),
  ] as const
  await until(async () => {
    const rows = await listHosts(database.sql)
    const may = await Promise.all(rows.map((row) => mayOwn(database.sql, row.incarnation)))
    return may.filter(Boolean).length === 2
  })
  return both
}

test('the second in rank leaves the world to the first', async () => {
  // On its clock the time of the first one never ends.
  const [first, last] = await ranked({ ...systemClock, monotonicMs: () => 0 })
  const lastEnd = last.takeOver(ending.signal)
  await until(() => unfitAsked > 0)
  expect(await first.takeOver(ending.signal)).toBeDefined()
  await until(() => last.owner() !== undefined)
  ending.abort()
  expect(await lastEnd).toBeUndefined()
})

test('the second in rank claims the world where the first does not', async () => {
  const [, last] = await ranked()
  expect(await last.takeOver(ending.signal)).toBeDefined()
})

test('a tool keeps the world that it claimed for as long as it has the schema', async () => {
  const tool = await open(true)
  await claimSystems(tool.sql, { systemIds: ['sol'] })
  const one = await standby('http://h1')
  const end = one.takeOver(ending.signal)
  await Promise.race([until(() => asked > 3), end])
  expect(await owners()).toEqual([undefined])
  await tool.close()
  expect(await end).toMatchObject({ promoted: undefined })
  expect(new Set(await owners())).toEqual(new Set(['http://h1']))
})

test('a host that stands by looks at once when a system has another owner', async () => {
  const tool = await open(true)
  await claimSystems(tool.sql, { systemIds: ['sol'] })
  const bus = createLocalBus()
  // Time alone never lets it look again.
  const one = await standby('http://h1', { bus, clock: { ...systemClock, after: () => () => {} } })
  const end = one.takeOver(ending.signal)
  await until(() => one.owner() === undefined && asked > 0)
  await tool.close()
  const announcing = setInterval(() => announceOwner(bus, 'sol'), 10)
  expect(await end).toMatchObject({ promoted: undefined })
  clearInterval(announcing)
})
