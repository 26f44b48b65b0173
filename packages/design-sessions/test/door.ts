// A service with a token, which the tests of front-door.test.ts share, and what it answered before
// it was ready.
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { type Place, ask } from './ask.ts'
import { type ServiceProcess, dataDirectory, startService } from './service.ts'

export const TOKEN = 'token-of-sixteen-bytes-or-more'
export const ORIGIN = 'https://sessions.example'

export const directory: ReturnType<typeof dataDirectory> = dataDirectory()
export const environment = {
  DATA_DIR: directory.path,
  KNOWLEDGE_DIR: directory.emptyLibrary,
  DESIGN_SESSIONS_TOKEN: TOKEN,
  ALLOWED_ORIGINS: ORIGIN,
} as const
export const headers = { authorization: `Bearer ${TOKEN}` } as const

let running: ServiceProcess | undefined

function started(): ServiceProcess {
  if (running === undefined) throw new Error('The service has not been started')
  return running
}

/** The service, for requests that bring the token themselves. */
export const service: Pick<ServiceProcess, 'url' | 'output' | 'stop'> = {
  get url() {
    return started().url
  },
  output: () => started().output(),
  stop: () => started().stop(),
}

/** The service, with its token. */
export const inside: Place = {
  get url() {
    return service.url
  },
  request: (url, init) => {
    const all = new Headers(init.headers)
    all.set('authorization', headers.authorization)
    return fetch(url, { ...init, headers: all })
  },
}

/** Answers before it was ready: path, status and text, each once. */
export const early: Set<string> = new Set()

beforeAll(async () => {
  const port = await freePort()
  const starting = startService({ ...environment, DESIGN_SESSIONS_PORT: String(port) })
  const place = { url: `http://127.0.0.1:${port}` }
  const over = new AbortController()
  void starting.finally(() => over.abort()).catch(() => {})
  while (!over.signal.aborted) {
    for (const path of ['health/live', 'health/ready', '/clients']) {
      const answer = await ask(place, 'GET', path).catch(() => undefined)
      if (answer) early.add(`${path} ${answer.status} ${answer.text}`)
    }
    await setTimeout(50)
  }
  running = await starting
})

afterAll(async () => {
  await running?.stop()
  directory.remove()
})

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
