// Goal: the API's document is a good one, tells of every route and no other, and every answer is
// one it tells of. Method: the document is fetched from a live server and read as a stranger's
// program would: of every operation good requests are made up from its schemas, and bad ones.
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { type AdminSession, openAdminSession } from '../accounts/admin-session.ts'
import { type Api, type ApiOperation, requestsOf } from './api-requests.ts'
import { type Answer, ask } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import type { ServerProcess } from '../server-process.ts'
import { usedServer } from '../used-server.ts'

const WALK_MS_MAX = 300_000
const ACCESS = ['player', 'admin'] as const

let server: ServerProcess
let session: AdminSession
let api: Api

usedServer({}, async (started) => {
  server = started
  session = await openAdminSession(() => server)
  api = (await ask(server, 'GET', '/api/openapi.json')).body as Api
})

/** All operations, those first that leave the most as it was. */
function operations(): ApiOperation[] {
  const found = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const access = ACCESS.find((one) => one in (described.security?.[0] ?? {}))
      return { method: method.toUpperCase(), path, access, ...described }
    }),
  )
  const rank = ({ access, method, path }: ApiOperation): number => {
    if (path.endsWith('/game/reset')) return 4
    if (path.endsWith('/restore')) return 3
    if (access !== 'admin') return 0
    return method === 'DELETE' ? 2 : 1
  }
  return found.toSorted((a, b) => rank(a) - rank(b))
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(api.openapi).toMatch(/^3\.1\.\d+$/)
  const copy = JSON.parse(JSON.stringify(api))
  expect(await new Validator().validate(copy)).toEqual({ valid: true })
  const ids = operations().map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each path answers to the methods of the document and no other', async () => {
  const token = session.chief.admin
  for (const [template, methods] of Object.entries(api.paths)) {
    const path = template.replaceAll(/\{\w+\}/g, 'any')
    const answer = await ask(server, 'PROPFIND', path, { token })
    expect(`${template} ${refusalOf(answer)}`).toBe(`${template} 405 E002`)
    const allowed = answer.headers.get('allow')?.split(', ').toSorted()
    const told = Object.keys(methods).map((method) => method.toUpperCase())
    expect(allowed).toEqual([...told, ...(told.includes('GET') ? ['HEAD'] : [])].toSorted())
  }
})

test('who asks comes first: without the right token nothing opens, whatever is asked', async () => {
  const { token } = await session.newPlayer()
  const wrong = { player: session.chief.admin, admin: token }
  for (const { method, path, access, operationId } of operations()) {
    if (access === undefined) continue
    const url = path.replaceAll(/\{\w+\}/g, 'any')
    const text = method === 'GET' ? {} : { text: '{' }
    for (const headers of [
      {},
      { authorization: `Bearer ${wrong[access]}` },
      { authorization: 'Bearer none' },
    ]) {
      const answer = await ask(server, method, url, { ...text, headers })
      expect(`${operationId} ${refusalOf(answer)}`).toBe(`${operationId} 401 E005`)
    }
  }
})

test(
  'every answer is one of those the document tells of, and every operation succeeds once',
  async () => {
    const faultOf = answerChecker()
    const harvest = new Map<string, string | number>()
    const faults: string[] = []
    const failed: string[] = []
    for (const operation of operations()) {
      let succeeded = false
      for (const request of requestsOf(operation, api, { session, harvest })) {
        const token = await tokenFor(operation)
        const options = { ...(token !== undefined && { token }), ...request.body }
        const answer = await ask(server, operation.method, request.url, options)
        const fault = faultOf(operation, answer)
        if (fault !== undefined) {
          const body = JSON.stringify(request.body ?? {})
          faults.push(`${operation.method} ${request.url} ${body}: ${fault}`.slice(0, 600))
        }
        if (answer.status < 400) {
          succeeded = true
          gather(answer.body, harvest)
        }
      }
      if (!succeeded) failed.push(operation.operationId)
    }
    expect(faults).toEqual([])
    expect(failed).toEqual([])
    expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/)
  },
  WALK_MS_MAX,
)

async function tokenFor({ access }: ApiOperation): Promise<string | undefined> {
  if (access === undefined) return undefined
  return access === 'admin' ? session.chief.admin : (await session.newPlayer()).token
}

/** What the document does not tell of an answer; undefined when it tells all. */
function answerChecker(): (operation: ApiOperation, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(api, 'api')
  return ({ path, method, responses }, { status, text, body }) => {
    const response = responses[status]
    if (response === undefined) return `${status} is not told of: ${text}`
    if (status >= 500) return `${status}: ${text}`
    if (status === 204) return text === '' ? undefined : `204 with a body: ${text}`
    if (response.content?.['application/json'] === undefined) return undefined
    const place = `/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const $ref = `api#/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}${place}`
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref })
    return validate(body) ? undefined : `${status} ${ajv.errorsText(validate.errors)}: ${text}`
  }
}

/** Keeps the last id of each name in an answer, for later requests. */
function gather(value: unknown, into: Map<string, string | number>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (name.endsWith('_id') && (typeof part === 'string' || typeof part === 'number')) {
      if (part !== '') into.set(name, part)
    } else gather(part, into)
  }
}
