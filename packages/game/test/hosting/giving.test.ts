// Law: an unfit host gives all star systems away, to hosts that live, follow and are fit, and keeps
// back an heir for the home system; one is given only to a host that flies or is at most 1 s
// behind. One of the next physics is given the whole world alone, where no other host is left.
// Method: hosts that beat in a real database.
import { type Database, openDatabase } from '@orrery/database'
import {
  type Host,
  type HostClock,
  beats,
  claimSystems,
  drainHost,
  migrations,
} from '@orrery/store'
import { PHYSICS } from '@orrery/sim'
import { openFreshDatabase } from '@orrery/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOME_ID, SYSTEM_IDS, heirOf, hostOf } from '../../src/index.ts'
import { claimantOf, drainMove, mayBeGiven } from '../../src/hosting/giving.ts'

const AWAY = SYSTEM_IDS.filter((id) => id !== HOME_ID)

let database: Awaited<ReturnType<typeof openFreshDatabase>>
let own: Database

beforeEach(async () => {
  database = await openFreshDatabase({ schema: 'game', migrations })
  own = await openDatabase({ url: database.url, directory: '', schema: 'game' })
})

afterEach(async () => {
  await own.close()
  await database.close()
})

/** A host with a session, as it is after two beats. */
async function newHost(
  name: string,
  state = { load: 0, lag: 0 as number | null },
  { clock, physics = PHYSICS }: { readonly clock?: HostClock; readonly physics?: number } = {},
): Promise<Host> {
  const host = { ...hostOf(`http://${name}:3100`, '1.0.0'), cores: 2, physics }
  const beating = beats(own.session('beats', {}), host)
  for (let beat = 0; beat < 2; beat++) await beating.beat(state, clock)
  return host
}

test('a drained leader gives all but the home system, and keeps an heir for that', async () => {
  const host = await newHost('a', { load: 0.9, lag: null })
  const next = (systemIds: readonly string[]): ReturnType<typeof drainMove> =>
    drainMove(own.sql, host, systemIds)
  expect(await next(SYSTEM_IDS)).toBeUndefined()
  expect(await heirOf(own.sql, host)).toBeUndefined()
  const idle = [await newHost('b'), await newHost('c')].map(({ incarnation }) => incarnation)
  const heir = await heirOf(own.sql, host)
  expect(idle).toContain(heir)
  const move = await next(SYSTEM_IDS)
  expect(move).toEqual({ systemId: AWAY[0], host: idle.find((one) => one !== heir) })
  expect(await next([HOME_ID])).toBeUndefined()
  // One that flies for the leader gives to any, also to the only one.
  const drained = { host: move?.host ?? '', drained: true }
  await drainHost(own.sql, drained)
  expect(await next(SYSTEM_IDS)).toBeUndefined()
  expect(await next(AWAY)).toEqual({ systemId: AWAY[0], host: heir })
})

test('a host whose clock is wrong is not given what one leaves whose clock is wrong', async () => {
  const wrong: HostClock = { clockOffset: 2, clockState: 'wrong' }
  const host = await newHost('a', { load: 0, lag: null }, { clock: wrong })
  await newHost('b', { load: 0, lag: 0 }, { clock: wrong })
  expect(await heirOf(own.sql, host)).toBeUndefined()
  expect(await drainMove(own.sql, host, AWAY)).toBeUndefined()
  const off = { clockOffset: 0.12, clockState: 'off' } as const
  const { incarnation } = await newHost('c', { load: 0, lag: 0 }, { clock: off })
  expect(await heirOf(own.sql, host)).toBe(incarnation)
  expect(await drainMove(own.sql, host, AWAY)).toEqual({ systemId: AWAY[0], host: incarnation })
})

test('a system is given only to a host that can fly it on at once', async () => {
  const cases = [
    { lag: null, timeScale: 1, may: false },
    { lag: 1.5, timeScale: 1, may: false },
    { lag: 1.5, timeScale: 20, may: true },
    { lag: 0.5, timeScale: 0.1, may: true },
  ]
  for (const [place, { lag, timeScale, may }] of cases.entries()) {
    const { incarnation } = await newHost(`h${place}`, { load: 0, lag })
    expect(await mayBeGiven(own.sql, incarnation, timeScale)).toBe(may)
  }
  const flying = await newHost('flying', { load: 0, lag: null })
  await claimSystems(own.sql, { systemIds: AWAY, host: flying })
  expect(await mayBeGiven(own.sql, flying.incarnation, 1)).toBe(true)
})

test('a host of the next physics is given only the world that no other can lead', async () => {
  const host = await newHost('a', { load: 0.9, lag: null })
  const next = await newHost('next', { load: 0, lag: 0 }, { physics: PHYSICS + 1 })
  await newHost('before', { load: 0, lag: 0 }, { physics: PHYSICS - 1 })
  expect(await drainMove(own.sql, host, SYSTEM_IDS)).toBeUndefined()
  expect(await drainMove(own.sql, host, AWAY)).toBeUndefined()
  expect(await mayBeGiven(own.sql, next.incarnation, 1)).toBe(false)
  expect(await heirOf(own.sql, host)).toBe(next.incarnation)
  const same = await newHost('same', { load: 0, lag: null })
  expect(await claimantOf(own.sql, host)).toBe(same.incarnation)
})
