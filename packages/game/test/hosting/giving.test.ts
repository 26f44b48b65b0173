// Law: a host gives a star system away when it has had too much load for three seconds, and to one
// that has room; never the home system, what an operator wants somewhere, or two within ten
// seconds. A drained one gives all away, to hosts that live, follow and are not drained, and keeps
// back an heir for the home system. Method: hosts that beat in a real database.
import { type Database, openDatabase } from '@orrery/database'
import { type Host, beats, drainHost, migrations } from '@orrery/store'
import { openFreshDatabase } from '@orrery/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HOME_ID, SYSTEM_IDS, heirOf, hostOf } from '../../src/index.ts'
import { Giving } from '../../src/hosting/giving.ts'

const AWAY = SYSTEM_IDS.filter((id) => id !== HOME_ID)

let database: Awaited<ReturnType<typeof openFreshDatabase>>
let own: Database
let nowMs: number
let load: number
let isDrained: boolean

beforeEach(async () => {
  database = await openFreshDatabase({ schema: 'game', migrations })
  own = await openDatabase({ url: database.url, directory: '', schema: 'game' })
  nowMs = 0
  load = 0.9
  isDrained = false
})

afterEach(async () => {
  await own.close()
  await database.close()
})

/** A host with a session, as it is after two beats. */
async function newHost(name: string, state = { load: 0, lag: 0 as number | null }): Promise<Host> {
  const host = { ...hostOf(`http://${name}:3100`, '1.0.0'), cores: 2 }
  const beating = beats(own.session('beats', {}), host)
  for (let beat = 0; beat < 2; beat++) await beating.beat(state)
  return host
}

function givingOf(host: Host): Giving {
  const ships = new Map(Array.from({ length: 9 }, (_, i) => [i, i]))
  const worlds = SYSTEM_IDS.map((id) => ({ state: { system: { id } }, roster: { byId: ships } }))
  const engine: unknown = { status: () => ({ utilisation: load }), universe: { worlds } }
  return new Giving({
    sql: own.sql,
    host,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what of it is read
    engine: engine as ConstructorParameters<typeof Giving>[0]['engine'],
    isDrained: () => isDrained,
    nowMs: () => nowMs,
  })
}

test('too much load for three seconds: one system goes, and no second one soon', async () => {
  const giving = givingOf(await newHost('a', { load, lag: null }))
  const next = (free = AWAY): ReturnType<Giving['next']> => giving.next(SYSTEM_IDS, free)
  expect(await next()).toBeUndefined()
  nowMs += 2999
  expect(await next()).toBeUndefined()
  load = 0.5
  nowMs += 1
  expect(await next()).toBeUndefined()
  load = 0.9
  expect(await next()).toBeUndefined()
  nowMs += 3000
  // There is no other host yet.
  expect(await next()).toBeUndefined()
  await newHost('full', { load: 0.5, lag: null })
  const idle = await newHost('idle')
  const late = async (free?: string[]): ReturnType<Giving['next']> => {
    await next(free)
    nowMs += 3000
    return next(free)
  }
  expect(await late([])).toBeUndefined()
  const move = await late()
  expect(AWAY).toContain(move?.systemId)
  expect(move?.host).toBe(idle.incarnation)
  expect(await late()).toBeUndefined()
  await own.sql`update host set moved_at = moved_at - interval '11 seconds'`
  expect(await late()).toBeDefined()
})

test('a drained leader gives all but the home system, and keeps an heir for that', async () => {
  const host = await newHost('a', { load, lag: null })
  const giving = givingOf(host)
  isDrained = true
  expect(await giving.next(SYSTEM_IDS, [])).toBeUndefined()
  expect(await heirOf(own.sql, host)).toBeUndefined()
  const idle = [await newHost('b'), await newHost('c')].map(({ incarnation }) => incarnation)
  const heir = await heirOf(own.sql, host)
  expect(idle).toContain(heir)
  const move = await giving.next(SYSTEM_IDS, [])
  expect(move).toEqual({ systemId: AWAY[0], host: idle.find((one) => one !== heir) })
  expect(await giving.next([HOME_ID], [])).toBeUndefined()
  // One that flies for the leader gives to any, also to the only one.
  const drained = { host: move?.host ?? '', drained: true }
  await drainHost(own.sql, drained)
  expect(await giving.next(SYSTEM_IDS, [])).toBeUndefined()
  expect(await giving.next(AWAY, [])).toEqual({ systemId: AWAY[0], host: heir })
})
