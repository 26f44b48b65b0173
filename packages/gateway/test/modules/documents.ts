/**
 * Law: with modules the documents of the API and of the sockets have each command, by what it
 * takes. Goal: they are valid; a client made of them sends what the server takes, and nothing that
 * the module or the route refuses by its form.
 */
import { api } from '@orrery/client/routes'
import { apiFaults } from '@orrery/testkit/api-faults'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import type { Document, Schema } from '../api/api-document.ts'
import type { SocketDocument } from '../api/socket-document.ts'
import { ask, openSocket, register } from '../player-client.ts'
import type { UsedServer } from '../used-server.ts'

const SHIPS = '/api/admin/modules/ships/{ship_id}'

/** Plays the commands of quarry and bank as their documents have them. */
export async function documentsHaveCommands(server: UsedServer): Promise<void> {
  const document = (await ask(server, 'GET', '/api/openapi.json')).body as Document
  expect(await apiFaults(document)).toEqual([])
  const { token, ship_id: ship } = await register(server, 'Reader')
  expect(Object.keys(document.paths).filter((path) => path.includes('player/modules'))).toEqual([
    '/api/player/modules',
    '/api/player/modules/quarry',
    '/api/player/modules/bank',
  ])
  const path = '/api/player/modules/quarry'
  const { post } = document.paths[path]
  expect(post).toMatchObject({ operationId: 'commandModule_quarry' })
  expect(post.parameters).toBeUndefined()
  const { example, schema } = bodyOf(document, path)
  expect(schema.oneOf?.map(({ $ref }) => $ref)).toEqual(
    ['dig', 'drop', 'survey'].map((name) => `#/components/schemas/quarry.${name}`),
  )
  expect(document.components.schemas['quarry.dig']).toMatchObject({
    description: 'Dig at a pit, each second.',
  })
  expect(document.components.schemas['quarry.survey']).toMatchObject({
    description: 'A pilot may give it 2 times a minute.',
  })
  expect((await ask(server, 'POST', path, { token, body: example })).status).toBe(200)

  const ofPilot = checkOf(document, path)
  expect(ofPilot(example)).toBe(true)
  expect(ofPilot({ command: 'survey' })).toBe(true)
  const refused = [{ command: 'dig' }, { command: 'dig', values: { pit: 0 } }, { command: 'fly' }]
  for (const body of [...refused, { command: 'spoil', values: {} }]) {
    expect(ofPilot(body)).toBe(false)
    expect((await ask(server, 'POST', path, { token, body })).status).toBeGreaterThanOrEqual(400)
  }
  const ofOperator = checkOf(document, SHIPS)
  const spoil = { module: 'quarry', command: 'spoil' }
  expect(ofOperator(spoil)).toBe(true)
  await server.order('POST', SHIPS.replace('{ship_id}', ship), spoil)
  for (const body of [{ command: 'spoil' }, { ...spoil, module: 'bank' }]) {
    expect(ofOperator(body)).toBe(false)
    await expect(server.order('POST', SHIPS.replace('{ship_id}', ship), body)).rejects.toThrow(
      'E00',
    )
  }
  const [, service] = api.commandModuleForShip.request.split(' ')
  expect(bodyOf(document, service.replace(':ship_id', '{ship_id}'))).toEqual(
    bodyOf(document, SHIPS),
  )
  await socketsHaveCommands(server)
}

async function socketsHaveCommands(server: UsedServer): Promise<void> {
  const document = (await ask(server, 'GET', '/api/asyncapi.json')).body as SocketDocument
  if (IS_NIGHT) expect(await apiFaults(document)).toEqual([])
  const { messages } = document.components
  const names = document.operations.receive.messages
    .map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1))
    .filter((name) => name.startsWith('module_command'))
  expect(names).toEqual(
    ['quarry.dig', 'quarry.drop', 'quarry.survey', 'bank.moor', 'bank.earn'].map(
      (command) => `module_command.${command}`,
    ),
  )
  const ajv = new Ajv({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'sockets')
  const { token } = await register(server, 'Listener')
  const socket = await openSocket(server, token)
  // It drops before it digs: it has no stone then.
  for (const name of names.toReversed()) {
    const [{ payload }] = messages[name].examples
    const fitting = names.filter((other) => {
      const check = ajv.compile({ $ref: `sockets#/components/messages/${other}/payload` })
      return check(payload)
    })
    expect(fitting).toEqual([name])
    const answer = name.endsWith('drop') ? 'E003' : undefined
    const { code } = Object(await socket.answer(payload))
    expect(code).toBe(answer)
  }
}

function bodyOf({ paths }: Document, path: string): { schema: Schema; example?: unknown } {
  const body = paths[path]['post'].requestBody?.content['application/json']
  if (!body) throw new Error(`${path} takes no body`)
  return body
}

/** Whether a body is as the document has it. */
function checkOf(document: Document, path: string): (body: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const place = path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
  const $ref = `api#/paths/${place}/post/requestBody/content/application~1json/schema`
  return (body) => ajv.validate({ $ref }, body)
}
