/**
 * Law: what a module says as it refuses a command comes as data, whoever gives it, on every way.
 */
import { type ModuleRefusal, connectSocket, createGameClient } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { expect } from 'vitest'
import { type Order, type Place, adminToken, ask } from '../player-client.ts'

const DIG = { module: 'quarry', command: 'dig', values: { pit: 2 } }
const DROP = { module: 'quarry', command: 'drop', values: { kg: 7 } }

const NO_ROW: Refused = {
  code: 'E003',
  message: 'quarry dig: no_row, table pit, row 2',
  refusal: { module: 'quarry', command: 'dig', reason: 'no_row', data: { table: 'pit', row: 2 } },
}
const TOO_MUCH: Refused = {
  code: 'E003',
  message: 'quarry drop: too_much, has 0',
  refusal: {
    module: 'quarry',
    command: 'drop',
    reason: 'too_much',
    data: { has: 0 },
  },
}

interface Refused {
  readonly code: string
  readonly message: string
  readonly refusal: ModuleRefusal
}

/** Is refused commands of quarry as a pilot, as an operator and as a program. */
export async function modulesRefuseWithData(
  server: Place & { readonly order: Order },
  { token, ship_id: shipId }: { readonly token: string; readonly ship_id: string },
): Promise<void> {
  const { url } = server
  const modules = createModulesClient({ url, token })
  const { command, module, values } = DIG
  await expect(modules.command(module, command, values)).rejects.toMatchObject(NO_ROW)
  await expect(modules.command('quarry', 'drop', DROP.values)).rejects.toMatchObject(TOO_MUCH)
  await socketRefusesWithData(server, token)

  const path = `/api/admin/modules/ships/${shipId}`
  const asked = { token: await adminToken(server), body: DIG }
  expect((await ask(server, 'POST', path, asked)).body).toEqual({ error: NO_ROW })

  const wanted = { name: 'shop', scopes: ['commands'] }
  const program = await server.order('POST', '/api/admin/service-tokens', wanted)
  const order = createGameClient({ url }).service(program.token).once('the same key')
  // It has changed nothing: the key is free, and the answer to it the same.
  for (let i = 0; i < 2; i++) {
    const given = order(api.commandModuleForShip, { ship_id: shipId, ...DROP })
    await expect(given).rejects.toMatchObject(TOO_MUCH)
  }

  // Errors that no module has thrown have no refusal.
  const unknown = { command: 'fly', values: {} }
  const answer = await ask(server, 'POST', `/api/player/modules/quarry`, { token, body: unknown })
  expect(answer.status).toBe(404)
  expect(Object(answer.body).error).not.toHaveProperty('refusal')
}

/** Is refused commands of quarry on a socket, whose server may have no world of its own. */
export async function socketRefusesWithData({ url }: Place, token: string): Promise<void> {
  const socket = connectSocket({ url, token })
  await socket.opened
  const { command, module, values } = DIG
  await expect(socket.commandModule(module, command, values)).rejects.toMatchObject(NO_ROW)
  await expect(socket.commandModule('quarry', 'drop', DROP.values)).rejects.toMatchObject(TOO_MUCH)
  socket.close()
}
