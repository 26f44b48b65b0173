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

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly body?: object
  /** of the record that the request changes */
  readonly etag?: string | null
}

/** @throws {Refusal} */
export async function ask(path: string, { method, body, etag }: Request = {}): Promise<Response> {
  const token = sessionStorage.getItem(KEY)
  const response = await fetch(`/api/v1${path}`, {
    method: method ?? 'GET',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(etag && { 'if-match': etag }),
    },
    ...(body && { body: JSON.stringify(body) }),
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

const PAGE = 100

/** A list's next records, and where it goes on; undefined at its end. */
export async function readPage<Row>(
  path: string,
): Promise<{ readonly rows: readonly Sent<Row>[]; readonly next: string | undefined }> {
  const sign = path.includes('?') ? '&' : '?'
  const limited = path.includes('cursor=') ? path : `${path}${sign}limit=${PAGE}`
  const response = await ask(limited)
  const [, next] = /<\/api\/v1([^>]+)>/.exec(response.headers.get('link') ?? '') ?? []
  return { rows: await response.json(), next }
}
