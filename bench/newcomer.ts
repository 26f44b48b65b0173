/**
 * What a newcomer waits for, in a clone of the last commit: the first start by `npx pnpm start`,
 * a later one and a command by `scripts/orrery`, and the memory a minute after the first start:
 * all that the processes have in memory, files included, what they share counted once (PSS).
 */
import { createGameClient } from '@orrery/client'
import { processMemory, processesIn, processesOf } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const REST_MS = 60_000
const COMMANDS = 5
const PORT = '3917'
const ADDRESS = `http://127.0.0.1:${PORT}`

interface Started {
  readonly child: ChildProcess
  readonly tickMs: number
  readonly pageMs: number
}

export async function newcomer(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-newcomer-'))
  const env = { ...process.env, PORT, NODE_COMPILE_CACHE: '' }
  try {
    progress.at('a clone and its installation')
    execFileSync('git', ['clone', '--quiet', process.cwd(), directory])
    // Of files that it shares with the Node that runs this, the game would have only a part.
    const install = ['pnpm', 'install', '--config.package-import-method=copy']
    execFileSync('npx', install, { cwd: directory, env, stdio: 'ignore' })
    progress.at('the first start')
    const first = await started('npx', ['pnpm', 'start'], directory, env)
    await sleep(REST_MS)
    const memory = memoryOf(directory, first.child)
    await ended(first.child, directory)
    const shortWay = join(directory, 'scripts', 'orrery')
    progress.at('a later start')
    const later = await started(shortWay, ['start'], directory, env)
    const secrets = parse(readFileSync(join(directory, '.env'), 'utf8'))
    const login = ['admin', 'login', secrets['ADMIN_USERNAME'] ?? '', '--url', ADDRESS]
    const home = { ...env, XDG_CONFIG_HOME: directory, ORRERY_URL: ADDRESS }
    execFileSync(shortWay, login, {
      cwd: directory,
      env: home,
      input: `${secrets['ADMIN_PASSWORD']}\n`,
    })
    const commands = Array.from({ length: COMMANDS }, () => {
      const startMs = performance.now()
      execFileSync(shortWay, ['admin', 'status'], { cwd: directory, env: home })
      return performance.now() - startMs
    })
    await ended(later.child, directory)
    return rowsOf('a newcomer', [
      ['first start: first tick', first.tickMs, 'ms', { max: 3500 }],
      ['first start: page usable', first.pageMs, 'ms', { max: 8000 }],
      ['later start: first tick', later.tickMs, 'ms', { max: 2000 }],
      ['admin status', percentile(commands, 0.5), 'ms', { max: 600 }],
      ['server and PostgreSQL (PSS)', memory.service, 'MB', { max: 220 }],
      ['with npx and pnpm (PSS)', memory.all, 'MB', { max: 360 }],
    ])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Starts the game and waits for its first tick and its page. */
async function started(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Started> {
  const startMs = performance.now()
  const child = spawn(program, args, { cwd, env, stdio: 'ignore', detached: true })
  const game = createGameClient({ url: ADDRESS })
  const tick = async (): Promise<number> => (await game.status().catch(() => ({ tick: 0 }))).tick
  while ((await tick()) < 1) await sleep(10)
  const tickMs = performance.now() - startMs
  const page = (): Promise<string> => fetch(ADDRESS).then((answer) => answer.text())
  while (!(await page()).includes('<canvas')) await sleep(50)
  return { child, tickMs, pageMs: performance.now() - startMs }
}

/** As Ctrl-C in a terminal, which reaches each of its processes. */
async function ended(child: ChildProcess, directory: string): Promise<void> {
  process.kill(-Number(child.pid), 'SIGINT')
  while (processesIn(directory).length > 0) await sleep(50)
}

/** Of all processes that began with a command, and of those that are the game [MB]. */
function memoryOf(directory: string, { pid }: ChildProcess): { service: number; all: number } {
  const inClone = processesIn(directory)
  const all = [...new Set([...inClone, ...processesOf(Number(pid), 'group')])]
  // npx and pnpm are programs of Node, too.
  const isServer = (one: number): boolean =>
    /^\S*node\0(?:--\S+\0)*scripts\/start\.ts\0/.test(readFileSync(`/proc/${one}/cmdline`, 'utf8'))
  const inData = processesIn(join(directory, '.data'))
  const service = [...inData, ...inClone.filter(isServer)]
  const mb = (pids: readonly number[]): number => processMemory([...new Set(pids)]).total / 2 ** 20
  return { service: mb(service), all: mb(all) }
}

function parse(text: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(text.split('\n').map((line) => line.split('=', 2)))
}
