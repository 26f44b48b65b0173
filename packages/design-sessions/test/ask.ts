// A client of the service that takes every answer as it comes.

/** Where a service is asked. */
export interface Place {
  readonly url: string
  /** looks at every answer */
  readonly check?: (method: string, path: string, answer: Answer) => void
}

// The tests read what they know to be there; what is not shows as a failed expectation.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** undefined when the answer is no JSON */
  readonly body: Json
}

export interface Asked {
  /** sent as JSON */
  readonly json?: unknown
  /** sent as it is */
  readonly raw?: RequestInit['body']
  readonly headers?: Readonly<Record<string, string>>
}

/** One request; paths that begin with `/` stand below `/api/v1`, others are whole. */
export async function ask(
  { url, check }: Place,
  method: string,
  path: string,
  { json, raw, headers = {} }: Asked = {},
): Promise<Answer> {
  const target = path.startsWith('/') ? `${url}/api/v1${path}` : `${url}/${path}`
  const response = await fetch(target, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(raw !== undefined && { body: raw, duplex: 'half' }),
  })
  const text = await response.text()
  let body: Json
  const isJson = response.headers.get('content-type') === 'application/json'
  if (isJson && text !== '') body = JSON.parse(text)
  const answer = { status: response.status, headers: response.headers, text, body }
  check?.(method, new URL(target).pathname, answer)
  return answer
}

/** What a created record is, or an error that tells why it was not. */
export async function created(place: Place, path: string, json: unknown): Promise<Json> {
  const answer = await ask(place, 'POST', path, { json })
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

let names = 0

/** A name that no other has. */
export function newName(word: string): string {
  return `${word} ${(names += 1)} ${Date.now().toString(36)}`
}

/** A version to put things into, with what stands above it. */
export interface Session {
  readonly client: Json
  readonly project: Json
  readonly version: Json
  /** `/versions/{id}` */
  readonly path: string
}

export async function newSession(place: Place, project: object = {}): Promise<Session> {
  const client = await created(place, '/clients', { name: newName('Client') })
  const made = await created(place, `/clients/${client.id}/projects`, {
    name: newName('Project'),
    ...project,
  })
  const version = await created(place, `/projects/${made.id}/versions`, {})
  return { client, project: made, version, path: `/versions/${version.id}` }
}
