// Goal: the documents of the API and of its sockets are valid, and describe every answer and every
// message. Method: they are read from a running server; their schemas generate valid and invalid
// requests of every operation, and messages, while two sockets listen.
import {
  FIELD_WORDS,
  FRAME_BLOCKS,
  api as declaredApi,
  parseClientMessage,
  serverMessage,
} from '@orrery/protocol'
import { apiFaults } from '@orrery/testkit/api-faults'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { type AdminSession, openAdminSession } from '../accounts/admin-session.ts'
import { type Document, type Endpoint, endpoints } from './api-document.ts'
import { requestsOf } from './api-requests.ts'
import { type Answer, type PlayerSocket, ask, openSocket } from '../player-client.ts'
import {
  type Message,
  type SocketDocument,
  examplesOf,
  messageFaults,
  spoiltMessages,
  typesOf,
} from './socket-document.ts'
import { errorLines } from '../server-process.ts'
import { sharedServer } from '../used-server.ts'

/** How the schema library words a fault. */
const LIBRARY_WORDS = /Invalid|Expected|received|undefined/i

/** They need an issuer, a docked ship, two ships, one that has flown somewhere, or a rule. */
const ELSEWHERE = [
  'signIn',
  'changeOwnClass',
  'createOwnShip',
  'giveUpShip',
  'jump',
  'undock',
  'deleteRule',
  'replaceRule',
  'commandModule',
  'commandModuleForShip',
  'commandShipModule',
  'switchModule',
]
/** Keys of commands that act once. */
const keyed = (): Record<string, string> => ({ 'idempotency-key': randomUUID() })
/** They need a past: `operations/past.test.ts` has them. */
const OF_PAST = /^(?:open|read|end)(?:Own)?Past(?:Sky)?$/

let session: AdminSession
let api: Document
let operations: readonly Endpoint[]
let sockets: SocketDocument
let pilot: PlayerSocket
let observer: PlayerSocket

const server = sharedServer(async () => {
  session = await openAdminSession(server)
  api = (await ask(server, 'GET', '/api/openapi.json')).body as Document
  operations = (await endpoints(server)).toSorted((a, b) => harm(a) - harm(b))
  sockets = (await ask(server, 'GET', '/api/asyncapi.json')).body as SocketDocument
  pilot = await openSocket(server, (await session.newPlayer()).token)
  observer = await openSocket(server, session.chief.admin)
})

/** Examples of a type that the server takes; at least one. */
function taken(type: string): Message[] {
  const good = [...examplesOf(sockets, type)].filter(
    (message) => parseClientMessage(JSON.stringify(message)).ok,
  )
  expect(good, `an example of ${type}`).not.toEqual([])
  return good
}

/** Orders operations by what they destroy. */
function harm({ access, method, template }: Endpoint): number {
  if (template.endsWith('/game/reset')) return 4
  // With it the token of all requests ends.
  if (template.endsWith('/admin/tokens')) return 5
  // Before the backup is deleted.
  if (template.endsWith('/backups/{backup_id}/restore')) return 1
  // Before the snapshot is deleted.
  if (template.endsWith('/admin/restore')) return 1
  if (access !== 'admin') return 0
  return method === 'DELETE' ? 2 : 1
}

test('the document passes the rules of Redocly, at night those of Spectral', async () => {
  expect(api.openapi).toMatch(/^3\.1\.\d+$/)
  expect(await apiFaults(api)).toEqual([])
})

/** Routes of the service kit, of browsers, and of the documents themselves. */
const UNDECLARED = [
  'readAsyncApi',
  'readLiveness',
  'readOpenApi',
  'readReadiness',
  'showConsole',
  'showPage',
]

test('every declared route is answered under its own name, and few others', () => {
  const answered = operations.map(({ method, template, operation }) => [
    operation.operationId,
    `${method} ${template}`,
  ])
  const declared = Object.entries(declaredApi).map(([id, { request }]) => [
    id,
    request.replaceAll(/:(\w+)/g, '{$1}'),
  ])
  expect(answered).toEqual(expect.arrayContaining(declared))
  const ids = new Set<unknown>(declared.map(([id]) => id))
  expect(
    answered
      .map(([id]) => id)
      .filter((id) => !ids.has(id))
      .toSorted(),
  ).toEqual(UNDECLARED)
})

test.runIf(IS_NIGHT)('the document of sockets passes the rules of AsyncAPI', async () => {
  expect(await apiFaults(sockets)).toEqual([])
})

test('the document of sockets can be kept', async () => {
  const get = (headers = {}): Promise<Answer> =>
    ask(server, 'GET', '/api/asyncapi.json', { headers })
  const tag = (await get()).headers.get('etag')
  expect(await get({ 'if-none-match': tag })).toMatchObject({ status: 304, text: '' })
})

test('the document of sockets has servers, how they take a token, and the tables of frames', () => {
  const { components, operations: socketOperations, servers } = sockets
  for (const { security } of Object.values(servers)) {
    const names = security.map(({ $ref }) => $ref.replace('#/components/securitySchemes/', ''))
    expect(names).toEqual(Object.keys(components.securitySchemes))
  }
  expect(socketOperations.send.messages).toContainEqual({
    $ref: '#/channels/socket/messages/frame',
  })
  expect(components.messages['frame']).toMatchObject({ 'x-blocks': FRAME_BLOCKS })
})

test('both documents have a sentence for each field, and the glossary no other', () => {
  const missing: string[] = []
  const used = new Set<string>()
  const owners = [api.components.schemas, sockets.components.schemas, sockets.components.messages]
  const named = owners.flatMap((parts) => Object.entries<object>(parts))
  for (const [owner, part] of [...named, ['', api.paths] as const]) {
    for (const field of fieldsIn(part, owner)) {
      const { name, description } = field
      const place = `${field.owner}.${name}`
      if (description === undefined) missing.push(place)
      used.add(FIELD_WORDS[place] === description ? place : name)
    }
  }
  expect(missing).toEqual([])
  expect(Object.keys(FIELD_WORDS).filter((place) => !used.has(place))).toEqual([])
  for (const sentence of Object.values(FIELD_WORDS)) expect(sentence).toMatch(/^[A-Z].*\.$/s)
})

test('every body and message has an example that its schema accepts', () => {
  const faults: string[] = []
  let examples = 0
  for (const [template, item] of Object.entries(api.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(item)) {
      const successes = Object.entries(responses).filter(([status]) => Number(status) < 300)
      const parts = Object.entries({ requestBody, ...Object.fromEntries(successes) })
      for (const [part, { content } = {}] of parts) {
        const { schema, example } = content?.['application/json'] ?? {}
        if (schema === undefined) continue
        examples++
        const place = part === 'requestBody' ? [part] : ['responses', part]
        const fault =
          example === undefined ? 'none' : faultIn(example, schema, [template, method, ...place])
        if (fault !== undefined) faults.push(`${method} ${template} ${part}: ${fault}`)
      }
    }
  }
  const faultOf = messageFaults(sockets)
  for (const action of ['send', 'receive'] as const) {
    for (const type of typesOf(sockets, action)) {
      const [{ payload }] = sockets.components.messages[type].examples
      const isTaken = action === 'send' || parseClientMessage(JSON.stringify(payload)).ok
      const fault = faultOf(action, payload) ?? (isTaken ? undefined : `${type} is refused`)
      if (fault !== undefined) faults.push(fault)
    }
  }
  expect(faults).toEqual([])
  expect(examples).toBeGreaterThan(80)
})

test('the document of sockets describes every message that the server takes', async () => {
  const faultOf = messageFaults(sockets)
  const faults: string[] = []
  for (const type of typesOf(sockets, 'receive')) {
    const good = taken(type)
    faults.push(...good.flatMap((message) => faultOf('receive', message) ?? []))
    for (const message of good.slice(0, 3)) {
      const answer = await pilot.answer(message)
      if ('code' in answer && answer.code === 'E001') faults.push(JSON.stringify(message))
      // The server takes 40 a second.
      await wait(25)
    }
  }
  expect(faults).toEqual([])
})

test('a message with a bad field is refused in a sentence that names the field', async () => {
  for (const type of typesOf(sockets, 'receive')) {
    const [whole] = taken(type)
    const refused = [...spoiltMessages(sockets, whole)].flatMap(([message, field]) => {
      const parsed = parseClientMessage(JSON.stringify(message))
      return parsed.ok ? [] : [{ message, field, sentence: parsed.error.message }]
    })
    expect(refused, `refused messages of ${type}`).not.toEqual([])
    for (const { message, field, sentence } of refused) {
      const isClear = sentence.includes(field) && !LIBRARY_WORDS.test(sentence)
      expect({ message, sentence, isClear }).toMatchObject({ isClear: true })
    }
    // With an answer comes the id of its question.
    const one = refused.find(({ field }) => field !== 'id')
    if (!one) continue
    const answer = await pilot.answer(one.message)
    expect(answer).toMatchObject({ type: 'error', message: one.sentence })
  }
})

test('the document describes every answer, and every operation succeeds once', async () => {
  const harvest = new Map<string, string | number>()
  const faults: string[] = []
  const failed: string[] = []
  for (const endpoint of operations) {
    let succeeded = false
    for (const request of requestsOf(endpoint, { session, harvest })) {
      const token = await tokenFor(endpoint)
      const headers = { ...(endpoint.access === 'service' && keyed()), ...request.body?.headers }
      const options = { token, ...request.body, headers }
      const answer = await ask(server, endpoint.method, request.url, options)
      const fault = faultOf(endpoint, answer)
      if (fault !== undefined) {
        const body = JSON.stringify(request.body ?? {})
        faults.push(`${endpoint.method} ${request.url} ${body}: ${fault}`.slice(0, 600))
      }
      if (answer.status < 400) {
        succeeded = true
        if (isOfAccount(endpoint)) account = undefined
        gather(answer.body, harvest)
      }
    }
    if (!succeeded) failed.push(endpoint.operation.operationId)
  }
  expect(faults).toEqual([])
  expect(failed.filter((id) => !OF_PAST.test(id))).toEqual(ELSEWHERE)
  expect(errorLines(server.output())).toEqual([])
})

test('the document of sockets describes every message that was sent', async () => {
  const faultOf = messageFaults(sockets)
  const seen = new Set<string>()
  for (const message of [...pilot.messages, ...observer.messages]) {
    expect(faultOf('send', message)).toBeUndefined()
    // Nor has it fields that the schemas do not know.
    expect(v.parse(serverMessage, message)).toEqual(message)
    seen.add(message.type)
  }
  expect(seen.size, `only ${[...seen].join()}`).toBeGreaterThanOrEqual(16)
})

interface Field {
  readonly owner: string
  readonly name: string
  readonly description: unknown
}

/** Every property of every schema in a part of a document. */
function* fieldsIn(part: unknown, owner: string): Generator<Field, void> {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (key !== 'properties') {
      yield* fieldsIn(value, owner)
      continue
    }
    for (const [name, schema] of Object.entries<Readonly<Record<string, unknown>>>(value)) {
      yield { owner, name, description: schema['description'] }
      yield* fieldsIn(schema, name)
    }
  }
}

/** Tokens of players: for operations on an account, after which it may be gone, and for others. */
let account: string | undefined
let flight: string | undefined
/** Of a program beside the server. */
let service: string | undefined

const isOfAccount = ({ template }: Endpoint): boolean => template.startsWith('/api/account')

async function tokenFor(endpoint: Endpoint): Promise<string | undefined> {
  if (endpoint.access === 'anybody') return undefined
  if (endpoint.access === 'admin') return session.chief.admin
  if (endpoint.access === 'service') return (service ??= await session.serviceToken())
  if (isOfAccount(endpoint)) return (account ??= (await session.newPlayer()).token)
  return (flight ??= (await session.newPlayer()).token)
}

/** Finds what the document does not describe in an answer; undefined when it describes all. */
function faultOf({ template, method, operation }: Endpoint, answer: Answer): string | undefined {
  const { status, text, body } = answer
  const response = operation.responses[status]
  if (response === undefined) return `${status} is not described: ${text}`
  if (status >= 500) return `${status}: ${text}`
  if (status === 204) return text === '' ? undefined : `204 with a body: ${text}`
  const schema = response.content?.['application/json']?.schema
  if (schema === undefined) return undefined
  const place = [template, method.toLowerCase(), 'responses', String(status)]
  const fault = faultIn(body, schema, place)
  return fault && `${status} ${fault}: ${text}`
}

let ajv: Ajv2020 | undefined
/** Many bodies have the same schema, which takes long to compile. */
const compiled = new Map<string, ValidateFunction>()

/**
 * What a body has otherwise than its schema.
 *
 * @param place  of what has the body, below the paths of the document
 */
function faultIn(body: unknown, schema: object, place: readonly string[]): string | undefined {
  if (ajv === undefined) {
    ajv = new Ajv2020({ strict: false, allErrors: true })
    formats.default(ajv)
    ajv.addSchema(api, 'api')
  }
  const key = JSON.stringify(schema)
  const pointer = ['paths', ...place, 'content', 'application/json', 'schema'].map((part) =>
    encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
  )
  const validate = compiled.get(key) ?? ajv.compile({ $ref: `api#/${pointer.join('/')}` })
  compiled.set(key, validate)
  return validate(body) ? undefined : ajv.errorsText(validate.errors)
}

/** Keeps the last id of each name in an answer, for later requests. */
function gather(value: unknown, into: Map<string, string | number>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (name.endsWith('_id') && (typeof part === 'string' || typeof part === 'number')) {
      // An admin cannot be the target of what that admin does.
      if (part !== '' && part !== session.chief.player_id) into.set(name, part)
    } else gather(part, into)
  }
}
