// An HTTP client of the service that returns every answer, and sample records to send.
import { until } from './until.ts'

/** The address of a service. */
export interface Place {
  readonly url: string
  /** checks every answer */
  readonly check?: (method: string, path: string, answer: Answer) => void
  /** sends a request; by default over the network */
  readonly request?: (url: string, init: RequestInit) => Promise<Response>
}

// A field that is missing shows as a failed expectation.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** content type, empty without one */
  readonly type: string
  readonly text: string
  /** undefined unless the answer is JSON */
  readonly body: Json
}

export interface RequestParts {
  /** sent as JSON */
  readonly json?: unknown
  /** sent unchanged */
  readonly raw?: RequestInit['body']
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request; paths that begin with `/` are below `/api/v1`, others are complete. */
export async function ask(
  { url, check, request = fetch }: Place,
  method: string,
  path: string,
  { json, raw, headers = {} }: RequestParts = {},
): Promise<Answer> {
  const target = path.startsWith('/') ? `${url}/api/v1${path}` : `${url}/${path}`
  const response = await request(target, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(raw !== undefined && { body: raw, duplex: 'half' }),
  })
  const text = await response.text()
  let body: Json
  const type = response.headers.get('content-type') ?? ''
  if (type === 'application/json' && text !== '') body = JSON.parse(text)
  const answer = { status: response.status, headers: response.headers, type, text, body }
  check?.(method, new URL(target).pathname, answer)
  return answer
}

/** Creates a record and returns it; any other status than 201 is an error. */
export async function created(place: Place, path: string, json: unknown): Promise<Json> {
  return body201(path, await ask(place, 'POST', path, { json }))
}

function body201(path: string, { status, text, body }: Answer): Json {
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`)
  return body
}

/** A multipart form with one file. */
export function fileForm(name: string, content: BlobPart, type = '', field = 'file'): FormData {
  const form = new FormData()
  form.append(field, new Blob([content], { type }), name)
  return form
}

/** Uploads a file to a version; by default the content is the name. */
export async function uploaded(
  place: Place,
  path: string,
  name: string,
  { content = name, type = '' }: { readonly content?: BlobPart; readonly type?: string } = {},
): Promise<Json> {
  const raw = fileForm(name, content, type)
  return body201(path, await ask(place, 'POST', `${path}/uploads`, { raw }))
}

/** An artifact as soon as it is no longer `rendering`. */
export async function settled(place: Place, path: string): Promise<Json> {
  const shown = async (): Promise<Json> => {
    const { status, text, body } = await ask(place, 'GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return body
  }
  return until(shown, ({ render_status: status }) => status !== 'rendering')
}

/** Renders an artifact and waits for the end, which may be after the answer. */
export async function renderedAt(place: Place, path: string): Promise<Json> {
  const { status, text } = await ask(place, 'POST', `${path}/render`)
  if (status !== 202) throw new Error(`POST ${path}/render: ${status} ${text}`)
  return settled(place, path)
}

/** An id of no record. */
export const NO_ID = '00000000-0000-4000-8000-000000000000'

/** The texts of a decision without its title. */
export const PROSE = { context: 'C', decision: 'D', consequences: 'E' } as const
export const DECISION: Readonly<Record<'title' | keyof typeof PROSE, string>> = {
  title: 'T',
  ...PROSE,
}
export const ITEM = {
  knowledge_file: 'general/a.md',
  item_text: 'I',
  priority: 'Critical',
} as const

let names = 0

/** A unique name. */
export function newName(word: string): string {
  return `${word} ${(names += 1)} ${Date.now().toString(36)}`
}

/** A version with its project and client. */
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
