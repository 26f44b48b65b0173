// Law: without a token a guest sees those ships whose players allow it, the nearest first, with
// stations and gates, and no other ship; one that is withdrawn is gone within two seconds. Ten
// guests within a second get the same bytes. What no guest sees is refused by one sentence.
import {
  type RegisterResponse,
  type SkyResponse,
  accountSettings,
  ownShipState,
  skyResponse,
} from '@orrery/protocol'
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { length } from '../flight/orbit.ts'
import { type Answer, ask, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

let seen: RegisterResponse
let unseen: RegisterResponse

const server = sharedServer(async () => {
  seen = await register(server, 'Followed')
  unseen = await register(server, 'Unfollowed')
  await server.order('POST', '/api/admin/game/pause')
})

const settings = (method: 'GET' | 'PUT', body?: object): Promise<Answer> =>
  ask(server, method, '/api/account/settings', { token: seen.token, ...(body && { body }) })

const asked = (near: string, system = 'sol'): Promise<Answer> =>
  ask(server, 'GET', `/api/systems/${system}/sky?near=${near}`)

async function sky(near: string): Promise<SkyResponse> {
  const { status, body } = await asked(near)
  expect(status).toBe(200)
  return v.parse(skyResponse, body)
}

const shipIds = async (near: string): Promise<string[]> =>
  (await sky(near)).ships.map(({ ship_id: id }) => id)

test('a ship is seen while its player allows it, and never before', async () => {
  expect(v.parse(accountSettings, (await settings('GET')).body)).toEqual({ followable: false })
  expect(await shipIds('Earth')).toEqual([])
  expect((await settings('PUT', { followable: true })).body).toEqual({ followable: true })
  await expect.poll(() => shipIds('Earth'), { timeout: 4000 }).toEqual([seen.ship_id])
  expect((await settings('GET')).body).toEqual({ followable: true })
  const [ship] = (await sky(seen.ship_id)).ships
  const { body } = await ask(server, 'GET', '/api/player/ship', { token: seen.token })
  const own = v.parse(ownShipState, body)
  for (const field of ['name', 'reference_body', 'relative_position', 'attitude'] as const) {
    expect(ship[field]).toEqual(own[field])
  }
  await settings('PUT', { followable: false })
  await expect.poll(() => shipIds('Earth'), { timeout: 4000 }).toEqual([])
})

test('stations and gates are where the star system has them', async () => {
  const { objects } = await sky('Moon')
  const { body } = await ask(server, 'GET', '/api/systems/sol')
  const { stations, jumpgates } = Object(body)
  expect(objects.length).toBe(stations.length + jumpgates.length)
  for (const { station_id: id, parent_body: parent, orbit_radius: radius } of stations) {
    const seenOne = objects.find((object) => object.object_id === id)
    expect(seenOne).toMatchObject({ kind: 'station', parent_body: parent })
    expect(length(seenOne!.relative_position)).toBeCloseTo(radius, 1)
  }
})

test('all guests of a second get the same bytes, for one that may be kept', async () => {
  await expect
    .poll(async () => {
      const texts = await Promise.all(Array.from({ length: 10 }, () => asked('Earth')))
      return new Set(texts.map(({ text }) => text)).size
    })
    .toBe(1)
  const { headers } = await fetch(`${server.url}/api/systems/sol/sky`)
  expect(headers.get('cache-control')).toBe('public, max-age=1')
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('what no guest sees is refused, whether or not it is there', async () => {
  await settings('PUT', { followable: true })
  await expect.poll(() => shipIds('Earth'), { timeout: 4000 }).toEqual([seen.ship_id])
  const refused = await asked(unseen.ship_id)
  expect(refusalOf(refused)).toBe('404 E006')
  expect(refused.text).toBe((await asked(randomUUID())).text)
  expect(refusalOf(await asked('Vulcan'))).toBe('404 E006')
  expect(refusalOf(await asked('x'.repeat(65)))).toBe('400 E001')
  expect(refusalOf(await asked('Earth', 'nowhere'))).toBe('404 E002')
  expect(refusalOf(await settings('PUT', { followable: 'yes' }))).toBe('400 E001')
  expect(refusalOf(await ask(server, 'GET', '/api/account/settings'))).toBe('401 E005')
  await ask(server, 'DELETE', '/api/account', { token: seen.token })
  await expect.poll(() => shipIds('Earth'), { timeout: 4000 }).toEqual([])
})
