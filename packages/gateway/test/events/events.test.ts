// Law: a reader of events that goes on by its cursor gets each once, in one order, though the
// server is killed right behind answers; a cursor that leads nowhere is refused by name.
import { serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { ask } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'
import { readThroughKills } from './event-reader.ts'

const server = sharedServer()

test('each event comes once through kills', async () => {
  const { read, all, begun, turns } = await readThroughKills(server, byTier({ gate: 1, night: 2 }))
  expect(read).toEqual(all)
  expect(new Set(read.map(({ id }) => id)).size).toBe(read.length)
  expect(begun).toBe(turns)
})

test('another era, no cursor at all and a missing scope are refused by name', async () => {
  const token = async (scope: string): Promise<string> => {
    const wanted = { name: 'reader', scopes: [scope] }
    const made = await server.order('POST', '/api/admin/service-tokens', wanted)
    return v.parse(serviceTokenResponse, made).token
  }
  const reader = await token('events')
  const get = async (query: string, bearer: string = reader): Promise<string> =>
    refusalOf(await ask(server, 'GET', `/api/service/events${query}`, { token: bearer }))
  expect(await get('?after=99999.sol=1')).toBe('409 E003')
  for (const wrong of ['x', '1.sol', '1.sol=x', '1..sol=1', '1e3', '1'.repeat(1001)]) {
    expect([wrong, await get(`?after=${wrong}`)]).toEqual([wrong, '400 E001'])
  }
  expect(await get('', await token('maneuvers'))).toBe('403 E003')
})
