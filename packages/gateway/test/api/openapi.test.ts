// Goal: the API's document is valid, and describes every answer. Method: the document is read from
// a running server; its schemas generate valid and invalid requests of every operation.
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { type AdminSession, openAdminSession } from '../accounts/admin-session.ts'
import { type Document, type Endpoint, endpoints } from './api-document.ts'
import { requestsOf } from './api-requests.ts'
import { type Answer, ask } from '../player-client.ts'
import { usedServer } from '../used-server.ts'

const WALK_MS_MAX = 300_000

/** Operations that need a ship which has flown somewhere, or a rule of the same player. */
const ELSEWHERE = [
  'post_api_player_jump',
  'post_api_player_undock',
  'delete_api_player_rules_id',
  'put_api_player_rules_id',
]

let session: AdminSession
let api: Document
let operations: readonly Endpoint[]

const server = usedServer({}, async () => {
  session = await openAdminSession(server)
  api = (await ask(server, 'GET', '/api/openapi.json')).body as Document
  operations = (await endpoints(server)).toSorted((a, b) => harm(a) - harm(b))
})

/** Orders operations by what they destroy. */
function harm({ access, method, template }: Endpoint): number {
  if (template.endsWith('/game/reset')) return 4
  if (template.endsWith('/restore')) return 3
  if (access !== 'admin') return 0
  return method === 'DELETE' ? 2 : 1
}

test('the document is valid OpenAPI 3.1', async () => {
  expect(api.openapi).toMatch(/^3\.1\.\d+$/)
  const copy = JSON.parse(JSON.stringify(api))
  expect(await new Validator().validate(copy)).toEqual({ valid: true })
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test(
  'the document describes every answer, and every operation succeeds once',
  async () => {
    const faultOf = answerChecker()
    const harvest = new Map<string, string | number>()
    const faults: string[] = []
    const failed: string[] = []
    for (const endpoint of operations) {
      let succeeded = false
      for (const request of requestsOf(endpoint, { session, harvest })) {
        const token = await tokenFor(endpoint)
        const options = { token, ...request.body }
        const answer = await ask(server, endpoint.method, request.url, options)
        const fault = faultOf(endpoint, answer)
        if (fault !== undefined) {
          const body = JSON.stringify(request.body ?? {})
          faults.push(`${endpoint.method} ${request.url} ${body}: ${fault}`.slice(0, 600))
        }
        if (answer.status < 400) {
          succeeded = true
          gather(answer.body, harvest)
        }
      }
      if (!succeeded) failed.push(endpoint.operation.operationId)
    }
    expect(faults).toEqual([])
    expect(failed).toEqual(ELSEWHERE)
    expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/)
  },
  WALK_MS_MAX,
)

async function tokenFor({ access }: Endpoint): Promise<string | undefined> {
  if (access === 'anybody') return undefined
  return access === 'admin' ? session.chief.admin : (await session.newPlayer()).token
}

/** Finds what the document does not describe in an answer; undefined when it describes all. */
function answerChecker(): (endpoint: Endpoint, answer: Answer) => string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(api, 'api')
  return ({ template, method, operation }, { status, text, body }) => {
    const response = operation.responses[status]
    if (response === undefined) return `${status} is not described: ${text}`
    if (status >= 500) return `${status}: ${text}`
    if (status === 204) return text === '' ? undefined : `204 with a body: ${text}`
    if (response.content?.['application/json'] === undefined) return undefined
    const place = `/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const $ref = `api#/paths/${encodeURIComponent(template.replaceAll('/', '~1'))}${place}`
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
