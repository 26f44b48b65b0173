// Law: a host that stands by takes a world that nothing owns at once, one of two; it leaves a tool
// in peace that has the schema, and ends when it is asked to. Method: hosts in this process on a
// real database.
import { type Database, openDatabase } from '@orrery/database'
import { inside, systemClock } from '@orrery/engine/testing'
import { claimSystems, migrations, seenSystems } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Standby, createStandby, hostOf } from '../../src/index.ts'
import { callingThread, until } from '../game-fixture.ts'

let database: Awaited<ReturnType<typeof openFreshDatabase>>
let opened: Database[]
let ending: AbortController
/** how often a host has asked whether a process has the schema */
let asked = 0

beforeEach(async () => {
  database = await openFreshDatabase({ schema: 'game', migrations })
  opened = []
  ending = new AbortController()
})

afterEach(async () => {
  ending.abort()
  for (const { close } of opened) await close()
  await database.close()
})

async function open(exclusive: true | 'later'): Promise<Database> {
  const { url } = database
  const own = await openDatabase({ url, directory: '', schema: 'game', exclusive })
  opened.push(own)
  return own
}

async function standby(address: string): Promise<Standby> {
  const own = await open('later')
  const isReserved = (): Promise<boolean> => {
    asked++
    return own.isReserved()
  }
  return createStandby({
    database: { ...own, isReserved },
    host: hostOf(address, '1.0.0'),
    isDrained: () => false,
    shipsMax: 256,
    createPool: (universe) => callingThread(inside(universe)),
    clock: systemClock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
  })
}

async function owners(): Promise<unknown[]> {
  return (await seenSystems(database.sql)).map(({ address }) => address)
}

test('of two that stand by for a world without an owner one takes it', async () => {
  const all = await Promise.all(['http://h1', 'http://h2'].map(standby))
  const ends = all.map(async (one, i) => ((await one.takeOver(ending.signal)) ? i : undefined))
  const winner = await Promise.race(ends)
  const url = ['http://h1', 'http://h2'][winner ?? NaN]
  expect(new Set(await owners())).toEqual(new Set([url]))
  const isSeen = until(() => all[1 - (winner ?? NaN)].owner() === url)
  await Promise.race([isSeen, Promise.all(ends)])
  ending.abort()
  expect((await Promise.all(ends)).filter((end) => end !== undefined)).toEqual([winner])
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
