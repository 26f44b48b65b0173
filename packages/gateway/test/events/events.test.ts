// Law: a cursor of a reader of events that leads nowhere is refused by name.
import { serviceTokenResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ask } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const server = sharedServer()

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
