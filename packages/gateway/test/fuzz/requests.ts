// Random requests, from the interface's own description.
import type { Endpoint } from '../api/api-document.ts'
import type { Chance } from '@orrery/testkit'
import { hostileText, mutated, schemaText } from './values.ts'

export type Who = 'stranger' | 'player' | 'admin' | 'service' | 'forged' | 'deleted'

/** A request for a client that sends it unchanged. */
export interface FuzzRequest {
  /** undefined when method or path are random */
  readonly endpoint: Endpoint | undefined
  readonly who: Who
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
}

export interface Surroundings {
  readonly endpoints: readonly Endpoint[]
  readonly token: (who: Who) => string | undefined
  /** ids of a player that requests may change */
  readonly knownIds: readonly string[]
}

/** Not sent with an admin's token: an admin may end every game. */
const ENDS_GAME = /^\/api\/admin\/(?:game\/reset|restore)$/
/** At a higher rate a client could miss a frame. */
const TICK_RATE_TRIED_MAX = 20

/** Routes that hash a password or write the world: one in twelve of their requests is sent. */
const COSTLY = /account$|auth|login|password|\/admins$|\/snapshot$/
const COSTLY_ONE_IN = 12

export function fuzzRequest(
  { endpoints, token, knownIds }: Surroundings,
  chance: Chance,
): FuzzRequest {
  let endpoint = chance.pick(endpoints)
  while (COSTLY.test(endpoint.template) && !chance.oneIn(COSTLY_ONE_IN)) {
    endpoint = chance.pick(endpoints)
  }
  const who = whoAsks(endpoint, chance)
  const isKnown = !chance.oneIn(12)
  const method = isKnown ? endpoint.method : chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
  const path = isKnown
    ? pathOf(endpoint, knownIds, chance)
    : encodeURI(mutated(endpoint.template, chance).toWellFormed()).slice(0, 4000)
  const body = method === 'GET' ? undefined : bodyOf(endpoint, chance)
  const bearer = token(who)
  return {
    endpoint: isKnown ? endpoint : undefined,
    who,
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': contentType(chance) }),
      ...oddHeaders(chance),
    },
    body,
  }
}

function whoAsks({ access, template }: Endpoint, chance: Chance): Who {
  const rightful = access === 'anybody' ? 'stranger' : access
  const who = chance.oneIn(3)
    ? chance.pick<Who>(['stranger', 'player', 'admin', 'service', 'forged', 'deleted'])
    : rightful
  return who === 'admin' && ENDS_GAME.test(template) ? 'player' : who
}

function pathOf(
  { template, query }: Endpoint,
  knownIds: readonly string[],
  chance: Chance,
): string {
  const path = template.replaceAll(/\{\w+\}/g, () => {
    if (chance.oneIn(3)) return encodeURIComponent(unquoted(hostileText(chance)).slice(0, 200))
    return chance.oneIn(3) ? chance.pick(knownIds) : chance.uuid()
  })
  const asked = query
    .filter(() => !chance.oneIn(3))
    .map(({ name, schema }) => {
      const value = unquoted(schemaText(schema, chance, chance.oneIn(2)))
      return `${name}=${encodeURIComponent(value).slice(0, 1000)}`
    })
  return asked.length > 0 ? `${path}?${asked.join('&')}` : path
}

/** A JSON text as part of a URL, which cannot have lone surrogates. */
function unquoted(text: string): string {
  return text.replaceAll(/^"|"$/g, '').toWellFormed()
}

function bodyOf({ body, template }: Endpoint, chance: Chance): string | Buffer | undefined {
  if (chance.oneIn(20)) return undefined
  if (chance.oneIn(20)) return chance.bytes(200)
  const text = body === undefined ? hostileText(chance) : schemaText(body, chance, !chance.oneIn(3))
  const sent = chance.oneIn(8) ? mutated(text, chance) : text
  if (!template.endsWith('/tick-rate')) return sent
  return sent.replaceAll(/"tick_rate":\s*(\d+(?:\.\d+)?)/g, (field, number: string) =>
    Number(number) > TICK_RATE_TRIED_MAX ? `"tick_rate":${Number(number) + 100}` : field,
  )
}

function contentType(chance: Chance): string {
  if (!chance.oneIn(15)) return 'application/json'
  return chance.pick(['text/plain', 'application/json; charset=utf-16', 'application/xml', '*/*'])
}

function oddHeaders(chance: Chance): Record<string, string> {
  if (!chance.oneIn(15)) return {}
  return chance.pick([
    { 'x-request-id': 'x'.repeat(chance.below(3000)) },
    { 'x-forwarded-for': '203.0.113.1, ::1, nonsense' },
    { expect: '100-continue' },
    { origin: 'https://evil.example' },
    { 'x-http-method-override': 'DELETE' },
    { 'content-encoding': 'gzip' },
    { cookie: 'token=admin; token=1' },
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x-flood-${i}`, 'y'.repeat(50)])),
  ])
}
