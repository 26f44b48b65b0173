// Goal: a service listens before it is open and closes all it has opened, in reverse order, at its
// stop and after a failed start; a program refuses arguments and keeps a programming error's stack.
// Method: real ports; a process for the program; what is closed is recorded.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Listener,
  type Service,
  StartError,
  createLogger,
  helpText,
  openListener,
  serve,
  text,
} from '../src/index.ts'
import * as v from 'valibot'

const logger = createLogger({ level: 'fatal', destination: 'stderr' })
const app = new Hono().get('/', (context) => context.text('served'))

let closed: string[] = []
const services: Pick<Service, 'stop'>[] = []

afterEach(async () => {
  closed = []
  await Promise.all(services.splice(0).map((service) => service.stop()))
})

function listening(port = 0): Promise<Listener> {
  return openListener({
    host: '127.0.0.1',
    port,
    variables: 'HOST, PORT',
    startingMessage: 'The server is starting',
    shape: ({ code, message }) => ({ code, message }),
    logger,
  })
}

function closing(name: string): () => void {
  return () => void closed.push(name)
}

async function statusOf(address: URL): Promise<number> {
  const response = await fetch(address)
  await response.text()
  return response.status
}

test('it answers 503 until it is open, serves then, and stops in reverse order', async () => {
  const listener = await listening()
  const gate = Promise.withResolvers<undefined>()
  const starting = serve(listener, async (opened) => {
    opened.defer(closing('database'))
    await gate.promise
    opened.defer(closing('game'))
    const closeUpgraded = async (): Promise<void> => {
      expect(await fetch(listener.address).catch(() => 'refused')).toBe('refused')
      closed.push('sockets')
    }
    return { app, closeUpgraded }
  })
  const early = await fetch(listener.address)
  expect([early.status, early.headers.get('retry-after'), await early.json()]).toEqual([
    503,
    '1',
    { code: 'starting', message: 'The server is starting' },
  ])
  expect(await statusOf(new URL('/health/live', listener.address))).toBe(200)
  expect(await statusOf(new URL('/health/ready', listener.address))).toBe(503)
  gate.resolve(undefined)
  const service = await starting
  expect(await statusOf(service.address)).toBe(200)
  expect(closed).toEqual([])
  await service.stop()
  expect(closed).toEqual(['sockets', 'game', 'database'])
})

test('a start that fails closes what it has opened, and its port', async () => {
  const listener = await listening()
  const failing = serve(listener, async (opened) => {
    opened.defer(closing('database'))
    throw new Error('no world')
  })
  await expect(failing).rejects.toThrow('no world')
  expect(closed).toEqual(['database'])
  const again = await listening(Number(listener.address.port))
  await again.close()
})

test('one close that fails does not keep the others open', async () => {
  const service = await serve(await listening(), async (opened) => {
    opened.defer(closing('database'))
    opened.defer(() => {
      throw new Error('no room')
    })
    return { app, closeUpgraded: () => Promise.reject(new Error('no socket')) }
  })
  await expect(service.stop()).rejects.toThrow('no room')
  expect(closed).toEqual(['database'])
})

test('a taken port is refused by the names of its variables', async () => {
  const holder = await listening()
  services.push({ stop: () => holder.close() })
  const { port } = holder.address
  const error: unknown = await listening(Number(port)).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(StartError)
  expect((error as StartError).message).toMatch(
    new RegExp(`^HOST, PORT: cannot listen on 127.0.0.1:${port}: .*EADDRINUSE`),
  )
})

test('the help is a table of each variable, its default and its meaning', () => {
  const schema = v.object({
    KEY: text({ lengthMax: 9 }),
    LIBRARY: text({ lengthMax: 9 }, '/some/where'),
    NAME: v.optional(text({ lengthMax: 9 })),
  })
  const lines = helpText('Serves tests', schema, { LIBRARY: 'our own' }).split('\n')
  expect(lines[0]).toMatch(/^Serves tests; environment variables say how\. /)
  expect(lines.slice(1).map((line) => line.trim())).toEqual([
    '',
    'KEY      required',
    'LIBRARY  our own',
    'NAME     -',
    '',
  ])
})

describe('a program', () => {
  const run = (way: string, ...args: string[]): string[] => {
    const fixture = fileURLToPath(new URL('./fixtures/service-program.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [fixture, ...args], {
      encoding: 'utf8',
      env: { ...process.env, WAY: way },
    })
    return [String(status), stdout, stderr]
  }

  test('prints its help, and takes no other argument', () => {
    expect(run('', '--help')).toEqual(['0', 'the help\n', ''])
    expect(run('', 'KEY=secret')).toEqual([
      '1',
      '',
      'Cannot start: arguments are not taken; --help names the variables that are\n',
    ])
  })

  test('ends in one line after an expected error, with the stack after any other', () => {
    expect(run('expected')).toEqual(['1', '', 'Cannot start: no such place\n'])
    const [status, , stderr] = run('unexpected')
    expect(status).toBe('1')
    expect(stderr).toMatch(/^Error: a mistake\n {4}at .*service-program/)
  })

  test('masks its secrets, and stops when it has lost what it owned', () => {
    const [status, stdout, stderr] = run('lost')
    expect([status, stdout]).toEqual(['0', 'Fixture listens on http://127.0.0.1:1/\nstopped\n'])
    expect(stderr).toMatch(/"msg":"started"[^]*"reason":"taken".*"msg":"shutting down"/)
    expect(stderr).not.toContain('not-for-any-eye')
  })
})
