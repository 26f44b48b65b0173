// Requests of an operation, generated from its description in the API's document.
import { randomUUID } from 'node:crypto'
import { IS_NIGHT } from '@orrery/testkit/tier'
import type { AdminSession } from '../accounts/admin-session.ts'
import type { Endpoint, Schema } from './api-document.ts'
import { inTurn } from '../in-turn.ts'
import { type Ask, PASSWORD } from '../player-client.ts'
import { ADMIN } from '../server-process.ts'

export interface ApiRequest {
  readonly url: string
  readonly body?: Pick<Ask, 'text' | 'headers'>
}

/** Values that are not in the document. */
export interface Known {
  readonly session: AdminSession
  /** ids by their names, from earlier answers */
  readonly harvest: ReadonlyMap<string, string | number>
}

/** Valid values for a name in a schema or path. */
function candidates(name: string, schema: Schema, { session, harvest }: Known): unknown[] {
  const found = harvest.get(name)
  const known: Record<string, unknown[]> = {
    username: [session.newName(), ADMIN.username],
    password: [PASSWORD, ADMIN.password],
    current_password: [PASSWORD],
    new_password: [PASSWORD],
    player_id: [session.chief.player_id],
    admin_id: [session.chief.player_id],
    system_id: ['sol', 'alpha_centauri', 'alpha-centauri'],
    name: ['Some Object'],
    scopes: [['accounts']],
    parent_body: ['Earth'],
    primary_body: ['Earth'],
    secondary_body: ['Moon'],
    altitude: [400_000],
    tick_rate: [1],
    condition: [{ type: 'apsis', apsis: 'periapsis' }],
    action: [{ type: 'event' }],
    time_scale: [1],
    game_time: [new Date(Date.now() + 3_600_000).toISOString()],
  }
  if (name in known || found !== undefined) {
    return [...(known[name] ?? []), ...(found === undefined ? [] : [found])]
  }
  if (schema.enum) return [...schema.enum]
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [false, true]
  if (schema.type === 'integer' || schema.type === 'number') return [schema.minimum ?? 1]
  return ['anything']
}

/** Values that no operation may fail at. */
const JUNK: readonly unknown[] = [null, true, -1, 1e300, 0.5, '', 'x'.repeat(3000), [], {}, '\0']

let fieldsTried = 0
let bodiesTried = 0

function junk(): readonly unknown[] {
  return inTurn(JUNK, (fieldsTried += 1))
}

export function* requestsOf(endpoint: Endpoint, known: Known): Generator<ApiRequest, void> {
  const { body: schema } = endpoint
  const fields = Object.entries(schema?.properties ?? {})
  const isRequired = ([name]: (typeof fields)[number]): boolean =>
    schema?.required?.includes(name) ?? false
  const wholeBodies = (): object[] => product(fields.filter(isRequired), known)
  const bodies = (): object[] => {
    const whole = wholeBodies()
    const more = fields
      .filter((field) => !isRequired(field))
      .flatMap(([name, field]) =>
        candidates(name, field, known).map((value) => ({ ...whole.at(-1), [name]: value })),
      )
    return [...whole, ...more]
  }
  const urls = [...urlsOf(endpoint, known)]
  for (const url of urls) {
    // By day further fields come with the first address alone.
    const given = IS_NIGHT || url === urls[0] ? bodies : wholeBodies
    if (!schema) yield { url }
    else for (const body of given()) yield { url, body: json(body) }
  }
  const [url] = urls
  if (!schema) return
  const texts = ['', '{', '[]', 'null', '{}', '"text"', `{"a":"${'x'.repeat(70_000)}"}`]
  for (const text of inTurn(texts, (bodiesTried += 1))) {
    yield { url, body: { text } }
  }
  yield { url, body: { ...json({}), headers: { 'content-type': 'text/plain' } } }
  const [good = {}] = bodies()
  for (const [name] of fields) {
    for (const value of junk()) yield { url, body: json({ ...good, [name]: value }) }
  }
}

function json(body: object): { text: string } {
  return { text: JSON.stringify(body) }
}

/** An object for each choice of its fields. */
function product(fields: readonly (readonly [string, Schema])[], known: Known): object[] {
  return fields.reduce<object[]>(
    (partial, [name, field]) =>
      candidates(name, field, known).flatMap((value) =>
        partial.map((object) => ({ ...object, [name]: value })),
      ),
    [{}],
  )
}

function* urlsOf({ template, inPath, query }: Endpoint, known: Known): Generator<string, void> {
  const paths = inPath.reduce<string[]>(
    (partial, { name, schema }) =>
      [...candidates(name, schema, known), randomUUID(), 'no-uuid'].flatMap((value) =>
        partial.map((url) => url.replace(`{${name}}`, String(value))),
      ),
    [template],
  )
  const needed = query.filter(({ required }) => required)
  const queryOf = (values: object): string =>
    new URLSearchParams(
      Object.entries(values).map(([name, value]) => [name, String(value)]),
    ).toString()
  const queries = product(
    needed.map(({ name, schema }) => [name, schema]),
    known,
  )
  for (const url of paths) {
    for (const values of queries) yield [url, queryOf(values)].filter(Boolean).join('?')
  }
  for (const { name, schema } of query) {
    for (const value of [...candidates(name, schema, known), ...junk()]) {
      yield `${paths[0]}?${queryOf({ ...queries[0], [name]: value })}`
    }
  }
}
