// Law: a player is sent the ships whose players are connected now, and only those; without a token
// there is no answer.
import { pilotsResponse } from '@orrery/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { ask, openSocket, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { sharedServer } from '../used-server.ts'

const server = sharedServer()

test('ships of connected players are listed until they leave', async () => {
  const [ida, noa] = [await register(server, 'PilotIda'), await register(server, 'PilotNoa')]
  const pilots = async (): Promise<string[]> => {
    const { body } = await ask(server, 'GET', '/api/pilots', { token: ida.token })
    return v.parse(pilotsResponse, body).pilots.map(({ ship_id: id }) => id)
  }
  expect(await pilots()).not.toContain(noa.ship_id)
  const socket = await openSocket(server, noa.token)
  await socket.next('welcome')
  expect(await pilots()).toContain(noa.ship_id)
  expect(await pilots()).not.toContain(ida.ship_id)
  await socket.close()
  await expect.poll(pilots).not.toContain(noa.ship_id)
})

test('a list of pilots needs a token of a player', async () => {
  expect(refusalOf(await ask(server, 'GET', '/api/pilots'))).toBe('401 E005')
})
