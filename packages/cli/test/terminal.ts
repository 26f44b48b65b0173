/** Commands of the CLI, as processes of their own or within this one. */
import { IS_NIGHT } from '@orrery/testkit/tier'
import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { runProgram } from '../src/program.ts'

export const MAIN: string = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export const UUID: RegExp = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Run {
  readonly args: readonly string[]
  /** standard input */
  readonly input?: string
  readonly variables: Readonly<Record<string, string>>
}

/** Runs a command as a terminal does. */
export function runProcess({ args, input = '', variables }: Run): Promise<Ended> {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [MAIN, ...args], { env })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => void (output[name] += text))
  }
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

/** Runs a command in this process, with its streams and environment in place of ours. */
export async function runHere({ args, input = '', variables }: Run): Promise<Ended> {
  const output = { stdout: '', stderr: '' }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => typed })
  const typed = Readable.from(input === '' ? [] : [input])
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    })
  }
  // That of the test runner writes elsewhere.
  vi.spyOn(console, 'log').mockImplementation((text) => void (output.stdout += `${text}\n`))
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  try {
    const code = await runProgram(args)
    return { code, ...output }
  } finally {
    Object.defineProperty(process, 'stdin', stdin)
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
}

/** A start of Node is most of what a command costs. */
export const runProcessByNight: typeof runHere = IS_NIGHT ? runProcess : runHere

/** A backup goes to a stream, and not to a file of the stream's name. */
export async function downloadsPiped(
  backup: string,
  file: string,
  { input, variables }: Omit<Run, 'args'>,
): Promise<void> {
  const piped = openSync(`${file}-piped`, 'w')
  const env = { ...process.env, ...variables }
  const args = [MAIN, 'backup', 'download', backup, '-']
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', piped, 'inherit'] })
  child.stdin?.end(input)
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(readFileSync(`${file}-piped`).equals(readFileSync(file))).toBe(true)
  expect(existsSync('-')).toBe(false)
}

/** Arguments of a line; a text in quotation marks of either kind is one. */
export function words(line: string): string[] {
  const parts = line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)
  return Array.from(parts, ([, double, single, word]) => double ?? single ?? word ?? '')
}

/** Method and path of each request that succeeded, from a server's log. */
export function requestsIn(log: string): string[] {
  return Array.from(
    log.matchAll(/"method":"(\w+)","path":"([^"]+)","status":2/g),
    ([, method, path]) => `${method} ${path}`,
  )
}

/** Other names of `login` and of what `registrations` does. */
export const UNTOUCHED: readonly string[] = [
  'POST /api/admin/login',
  'POST /api/admin/registrations',
]

/** A new player's ids. */
export async function registered(
  url: string,
  username: string,
  password: string,
): Promise<{ readonly player_id: string; readonly ship_id: string }> {
  const answer = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return (await answer.json()) as { player_id: string; ship_id: string }
}
