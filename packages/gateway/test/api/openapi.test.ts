// Goal: the API's document is valid, and describes every answer. Method: the document is read from a
// running server; its schemas generate valid and invalid requests of every operation.
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { type AdminSession, openAdminSession } from '../accounts/admin-session.ts'
import { type Api, type ApiOperation, requestsOf } from './api-requests.ts'
import { type Answer, ask } from '../player-client.ts'
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

/** All operations, the most destructive last. */
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

test(
  'the document describes every answer, and every operation succeeds once',
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

/** Finds what the document does not describe in an answer; undefined when it describes all. */
function answerChecker(): (operation: ApiOperation, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(api, 'api')
  return ({ path, method, responses }, { status, text, body }) => {
    const response = responses[status]
    if (response === undefined) return `${status} is not described: ${text}`
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
