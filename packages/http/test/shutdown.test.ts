// Goal: a signal ends a process in order and once: 0 when clean, 1 when a step fails or hangs, at
// once on the second signal.
// Method: real processes and real signals; each line they say is waited for, no time is.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Shutdown, createLogger } from '../src/index.ts'

const FIXTURE = fileURLToPath(new URL('./fixtures/shutting-down.ts', import.meta.url))

interface Run {
  code: number | null
  printed: string[]
  log: string
}

// Runs the fixture; each time it prints a text of `signals`, that signal is sent.
async function run(way: string, signals: Record<string, NodeJS.Signals>): Promise<Run> {
  const child = spawn(process.execPath, [FIXTURE, way], { stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  let log = ''
  child.stderr.on('data', (data: Buffer) => (log += data.toString()))
  createInterface(child.stdout).on('line', (line) => {
    printed.push(line)
    const signal = signals[line]
    if (signal !== undefined) child.kill(signal)
  })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.on('close', resolve)
  return { code: await promise, printed, log }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s runs the steps in order and exits 0',
  async (signal) => {
    const { code, printed, log } = await run('clean', { ready: signal })
    expect({ code, printed }).toEqual({ code: 0, printed: ['ready', 'first', 'second', 'third'] })
    expect(log).toContain(`"reason":"${signal}"`)
  },
)

test('a step that fails does not keep the others from running, and the code is 1', async () => {
  const { code, printed, log } = await run('fail', { ready: 'SIGTERM' })
  expect({ code, printed }).toEqual({ code: 1, printed: ['ready', 'first', 'second', 'third'] })
  expect(log).toContain('second failed')
})

test('a step that hangs is named at the deadline, and the code is 1', async () => {
  const { code, printed, log } = await run('deadline', { ready: 'SIGTERM' })
  expect({ code, printed }).toEqual({ code: 1, printed: ['ready', 'first', 'second'] })
  expect(log).toMatch(/"step":"second".*took too long/)
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second signal, %s, ends it at once', async (signal, expected) => {
  const { code, printed } = await run('hang', { ready: 'SIGTERM', second: signal })
  expect({ code, printed }).toEqual({ code: expected, printed: ['ready', 'first', 'second'] })
})

test('started twice, the steps run once', async () => {
  const codes: number[] = []
  let runs = 0
  const logger = createLogger({ level: 'fatal', destination: 'stderr' })
  const shutdown = new Shutdown({ logger, deadlineMs: 10_000, exit: (code) => codes.push(code) })
  shutdown.add('only', () => {
    runs++
  })
  await Promise.all([shutdown.start('a'), shutdown.start('b')])
  expect({ runs, codes }).toEqual({ runs: 1, codes: [0] })
})
