import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir, setPriority } from 'node:os'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleDirectory, currentBundle } from '@orrery/http/bundle'
import type { AnswerMessage, JobMessage } from './jobs.ts'
import { networkNamespace } from './network-namespace.ts'
import { RenderError } from '../render-error.ts'

export interface ChildLimits {
  /** of one job, until its answer */
  readonly timeoutMs: number
  /** resident memory */
  readonly bytesMax: number
  /** below the service itself, which answers first */
  readonly niceness: number
}

/** A render process. */
export interface RenderChild {
  /**
   * Runs a job; one at a time.
   *
   * @throws {RenderError} after any but `ERR_RENDER_SOURCE` the process is dead
   */
  run(message: JobMessage, signal?: AbortSignal): Promise<unknown>
  /** jobs so far */
  readonly jobs: number
  readonly isAlive: boolean
  /** its memory at present; 0 without /proc */
  readonly residentBytes: number
  kill(): void
}

let chosen: string | undefined

/** Chosen once, as it looks at all bundled sources. */
function childCode(): string {
  return (chosen ??= foundCode())
}

/** Engines load in a third of the time from the bundle, which a service from sources uses too. */
function foundCode(): string {
  const program = currentBundle(bundleDirectory('design-sessions'))
  const url =
    program === undefined
      ? new URL('child-main.ts', import.meta.url)
      : new URL('child-main.mjs', program)
  return fileURLToPath(url)
}

/** Memory grows more slowly than this interval. */
const SAMPLE_MS = 100

/** The directories of this package's code, of packages that it uses and of dependencies. */
function codeDirectories(): readonly string[] {
  const some = createRequire(import.meta.url).resolve('@resvg/resvg-js')
  const modules = `${sep}node_modules${sep}`
  return [
    fileURLToPath(new URL('../../', import.meta.url)),
    ...['@orrery/mermaid-svg', '@orrery/diagrams-py'].map((name) =>
      fileURLToPath(new URL('../', import.meta.resolve(name))),
    ),
    some.slice(0, some.indexOf(modules) + modules.length),
  ]
}

/**
 * 512 MiB each for WebAssembly and JavaScript; no processes, no files except code, and from Node 25
 * on no network. Engines need threads and native code, which these permissions do not bind.
 */
const FLAGS = [
  // Optimising D2's program takes 5 s of CPU time in each process, and spares nearly none.
  '--liftoff-only',
  '--wasm-max-mem-pages=8192',
  '--max-old-space-size=512',
  '--permission',
  ...codeDirectories().map((directory) => `--allow-fs-read=${directory}*`),
  '--allow-worker',
  '--allow-addons',
  '--disable-warning=SecurityWarning',
]

export function startChild(limits: ChildLimits): RenderChild {
  const [execPath, ...namespace] = networkNamespace() ?? []
  const child = fork(childCode(), [String(process.pid)], {
    cwd: tmpdir(),
    env: {},
    // The prefix becomes Node itself: pid and channel stay.
    ...(execPath !== undefined && { execPath }),
    execArgv: execPath === undefined ? FLAGS : [...namespace, process.execPath, ...FLAGS],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  lowerPriority(child, limits.niceness)
  // An idle process does not keep the service running.
  child.unref()
  child.channel?.unref()
  let jobs = 0
  let isAlive = true
  child.once('exit', () => (isAlive = false))
  const kill = (): void => {
    isAlive = false
    child.kill('SIGKILL')
  }
  child.once('error', kill)
  return {
    run: async (message, signal) => {
      jobs++
      try {
        return await answerOf(child, message, limits, signal)
      } catch (error) {
        if (!(error instanceof RenderError) || error.code !== 'ERR_RENDER_SOURCE') kill()
        throw error
      }
    },
    get jobs() {
      return jobs
    },
    get isAlive() {
      return isAlive
    },
    get residentBytes() {
      return residentBytes(child.pid)
    },
    kill,
  }
}

async function answerOf(
  child: ChildProcess,
  message: JobMessage,
  { timeoutMs, bytesMax }: ChildLimits,
  signal?: AbortSignal,
): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const refuse = (code: RenderError['code'], text: string): void =>
    reject(new RenderError(code, text))
  const outOfMemory = (): void => {
    const megabytes = Math.round(bytesMax / 1_048_576)
    refuse('ERR_RENDER_MEMORY', `Render needed too much memory; at most ${megabytes} MiB are given`)
  }
  const onExit = (code: number | null, signal: string | null): void =>
    // V8 aborts on a full heap.
    signal === 'SIGABRT' || code === 134
      ? outOfMemory()
      : refuse('ERR_RENDER_CRASH', 'Render ended without a result')
  const onError = (): void => refuse('ERR_RENDER_CRASH', 'Render could not be started')
  const onAbort = (): void => refuse('ERR_RENDER_CLOSED', 'Render is not wanted any more')
  const onMessage = (answer: AnswerMessage): void =>
    answer.ok ? resolve(answer.output) : refuse(answer.code, answer.error)
  const timer = setTimeout(
    () => refuse('ERR_RENDER_TIMEOUT', `Render timed out after ${timeoutMs / 1000}s`),
    timeoutMs,
  )
  const sampler = setInterval(() => {
    if (residentBytes(child.pid) > bytesMax) outOfMemory()
  }, SAMPLE_MS)
  child.on('message', onMessage).on('exit', onExit).on('error', onError)
  signal?.addEventListener('abort', onAbort)
  try {
    if (signal?.aborted) onAbort()
    else child.send(message, (error) => error && onError())
    return await promise
  } finally {
    clearTimeout(timer)
    clearInterval(sampler)
    child.off('message', onMessage).off('exit', onExit).off('error', onError)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Resident memory of a process; 0 without /proc. */
function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Lowers the scheduling priority of a child process. */
function lowerPriority({ pid }: ChildProcess, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness)
  } catch {
    // The child has ended or the system forbids it; both are harmless.
  }
}
