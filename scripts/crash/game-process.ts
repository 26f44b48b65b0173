/** The real server as a child process that can be killed at any moment, also before it listens. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(import.meta.resolve('@orrery/gateway/main'))

/** Lines of its log that are kept, the newest. */
const LINES_MAX = 200

export interface GameProcess {
  /** its address, once it listens; rejects when it ended before */
  readonly ready: Promise<string>
  /** from the start until it listened [ms] */
  readyMs(): number
  /** SIGTERM: a clean stop */
  terminate(): void
  /** SIGKILL; resolves when it is gone */
  kill(): Promise<void>
  /** resolves when it is gone */
  readonly ended: Promise<unknown>
  /** the last it has said */
  log(): string
  /** what it called fatal */
  fatal(): readonly string[]
}

export function startGame(variables: Readonly<Record<string, string>>): GameProcess {
  const startMs = performance.now()
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), PORT: '0', LOG_LEVEL: 'warn', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => void child.once('close', resolve))
  // A run that is broken off must not leave its server behind.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  void exited.then(() => process.off('exit', end))
  const lines: string[] = []
  const fatal: string[] = []
  let readyMs = NaN
  const ready = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const url = /listens on (\S+)/.exec(line)?.[1]
    if (url === undefined) return
    readyMs = performance.now() - startMs
    ready.resolve(url)
  })
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line)
    if (lines.length > LINES_MAX) lines.shift()
    if (isFatal(line)) fatal.push(line)
  })
  const log = (): string => lines.join('\n')
  void exited.then((code) => ready.reject(new Error(`The server ended with ${code}:\n${log()}`)))
  // Whoever kills it before does not ask.
  ready.promise.catch(() => undefined)
  return {
    ready: ready.promise,
    readyMs: () => readyMs,
    terminate: () => void child.kill('SIGTERM'),
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    ended: exited,
    log,
    fatal: () => fatal,
  }
}

/** Log entries are JSON; what is none comes from Node itself, an exception above all. */
function isFatal(line: string): boolean {
  try {
    return JSON.parse(line).level === 'fatal'
  } catch {
    return /^\w*Error\b|^Cannot start/.test(line)
  }
}
