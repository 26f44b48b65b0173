import { Secret } from './secret.ts'

const MASK = '[redacted]'

// Compared with a key without its case, dashes and underscores. The sub-protocols of a socket's
// handshake are in because browsers send their token there.
const SECRET_KEYS = [
  'authorization',
  'cookie',
  'password',
  'passwd',
  'secret',
  'token',
  'apikey',
  'databaseurl',
  'sslkeyfile',
  'secwebsocketprotocol',
]

/** Levels of an object that are logged: enough to be read, and an end to every cycle. */
const DEPTH_MAX = 6
/** Items of an array that are logged. */
const ITEMS_MAX = 50

function isSecretKey(key: string): boolean {
  const plain = key.toLowerCase().replaceAll(/[-_]/g, '')
  return SECRET_KEYS.some((name) => plain.includes(name))
}

/** A copy of what is to be logged in which every value under a secret's name is masked. */
export function redacted(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => entry(key, item, 1)))
}

function entry(key: string, value: unknown, depth: number): [string, unknown] {
  return [key, isSecretKey(key) ? MASK : masked(value, depth)]
}

function masked(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return plainError(value, depth)
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if ('toJSON' in value) return value
  if (depth >= DEPTH_MAX) return '[deep]'
  if (Array.isArray(value)) {
    return value.slice(0, ITEMS_MAX).map((item: unknown) => masked(item, depth + 1))
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => entry(key, item, depth + 1)))
}

// An error's further fields are whatever a library hung there, a query's parameters say: they are
// left out, save the code.
function plainError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined || depth >= DEPTH_MAX
      ? {}
      : { cause: masked(error.cause, depth + 1) }),
  }
}

// Shorter ones would mask half the log, and protect nothing.
const SECRET_LENGTH_MIN = 6

/** Masks, in a finished line, the given secrets and whatever looks like a credential. */
export function lineMask(secrets: readonly Secret[]): (line: string) => string {
  const texts = new Set<string>()
  for (const secret of secrets) {
    for (const text of [secret.reveal(), ...urlPasswords(secret.reveal())]) {
      // As escaped in a line of JSON.
      if (text.length >= SECRET_LENGTH_MIN) texts.add(JSON.stringify(text).slice(1, -1))
    }
  }
  const longestFirst = [...texts].toSorted((a, b) => b.length - a.length)
  return (line) => {
    let result = line
    for (const text of longestFirst) result = result.replaceAll(text, MASK)
    return result
      .replaceAll(/\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"\\/@]{1,512}@/gi, `$1${MASK}@`)
      .replaceAll(/\bbearer[ .]+[\w~+/.-]{8,}/gi, MASK)
      .replaceAll(/\beyJ[\w-]{4,}\.[\w-]+\.[\w-]*/g, MASK)
  }
}

function urlPasswords(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password } = new URL(text)
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}
