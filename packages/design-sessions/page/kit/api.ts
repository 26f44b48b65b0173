import { authorName } from './author.ts'

/** A record as the service sends it. */
export type Sent<Row> = {
  readonly [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key]
}

/** An answer that is not a success, with the service's reason. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const KEY = 'design-sessions-token'

/** Kept until the tab is closed. */
export function keepToken(token: string): void {
  sessionStorage.setItem(KEY, token)
}

export function hasToken(): boolean {
  return sessionStorage.getItem(KEY) !== null
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** sent as JSON, forms and files as they are */
  readonly body?: object
  readonly accept?: string
  /** of the record that the request changes */
  readonly etag?: string | null
  /** a repetition with the same one changes nothing */
  readonly key?: string
  readonly signal?: AbortSignal
}

/** @throws {Refusal | Error} the latter when the service cannot be reached, or `signal` ends it */
export async function ask(path: string, request: Request = {}): Promise<Response> {
  const { method = 'GET', body, etag, key, signal, accept } = request
  const token = sessionStorage.getItem(KEY)
  const isJson = body && !(body instanceof FormData || body instanceof Blob)
  const sent: RequestInit = {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(method !== 'GET' && { 'x-author': encodeURIComponent(authorName()) }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...(body instanceof Blob && { 'content-type': 'application/zip' }),
      ...(accept && { accept }),
      ...(etag && { 'if-match': etag }),
      ...(key && { 'idempotency-key': encodeURIComponent(key) }),
    },
    ...(body && { body: isJson ? JSON.stringify(body) : body }),
    ...(signal && { signal }),
  }
  const response = await fetch(`/api/v1${path}`, sent).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new Error('The service cannot be reached; nothing is lost, try again.')
  })
  if (response.ok) return response
  const text = await response.text()
  throw new Refusal(response.status, reason(text) || `The service answers ${response.status}`)
}

function reason(text: string): string {
  try {
    const { detail }: { detail: string | readonly { loc: unknown[]; msg: string }[] } =
      JSON.parse(text)
    if (typeof detail === 'string') return detail
    return detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')
  } catch {
    return ''
  }
}

export async function read<Answer>(path: string, request: Request = {}): Promise<Answer> {
  return (await ask(path, request)).json()
}

/** A record, and its revision. */
export interface Found<Row> {
  readonly row: Sent<Row>
  readonly etag: string | null
}

export async function readRecord<Row>(path: string, request: Request = {}): Promise<Found<Row>> {
  const response = await ask(path, request)
  return { row: await response.json(), etag: response.headers.get('etag') }
}

const PAGE = 100

/** A list's next records, and where it goes on; undefined at its end. */
export async function readPage<Row>(
  path: string,
): Promise<{ readonly rows: readonly Sent<Row>[]; readonly next: string | undefined }> {
  const sign = path.includes('?') ? '&' : '?'
  const limited = /[?&]limit=/.test(path) ? path : `${path}${sign}limit=${PAGE}`
  const response = await ask(limited)
  const [, next] = /<\/api\/v1([^>]+)>/.exec(response.headers.get('link') ?? '') ?? []
  return { rows: await response.json(), next }
}
