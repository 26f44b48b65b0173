// Directories for embedded databases, and processes that own one.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { prepareCluster } from '../src/cluster.ts'

const OWNER = fileURLToPath(new URL('owner-process.ts', import.meta.url))
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/**
 * The repository at a place that every user can enter; undefined where nothing may be mounted.
 * Read-only: removing the place must not remove the repository.
 */
export function openRepository(place: string): string | undefined {
  try {
    mkdirSync(place, { recursive: true, mode: 0o755 })
    const options = ['--bind', '-o', 'ro', REPOSITORY, place]
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    return undefined
  }
  expect(() => writeFileSync(`${place}/written`, '')).toThrow(/EROFS/u)
  return `${place}/`
}

export interface Places {
  readonly root: string
  /** A path where nothing is yet. */
  fresh(name?: string): string
  /** A path with an empty database: a copy, since making one takes longer. */
  prepared(): Promise<string>
  remove(): void
}

export function temporaryPlaces(): Places {
  const root = mkdtempSync(join(tmpdir(), 'orrery-test-'))
  let count = 0
  let model: Promise<string> | undefined
  const fresh = (name = 'database'): string => join(root, String((count += 1)), name)
  const made = async (): Promise<string> => {
    const directory = fresh()
    await prepareCluster(directory)
    return directory
  }
  return {
    root,
    fresh,
    prepared: async () => {
      const [from, to] = [await (model ??= made()), fresh()]
      mkdirSync(join(to, '..'))
      // PostgreSQL's files belong to another user when this one is root: `cp` keeps that.
      execFileSync('cp', ['-a', from, to])
      return to
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(2)
}

/** A process that opens a directory's database. */
export interface OwnerProcess {
  readonly child: ChildProcess
  /** Resolves when it has stored a row; rejects with what it wrote when it ended before. */
  stored(): Promise<void>
  kill(): Promise<void>
}

export interface OwnerOptions {
  readonly uid?: number
  readonly gid?: number
  /** where it finds its code; see {@link openRepository} */
  readonly repository?: string
  /** Code that runs in it first. */
  readonly before?: string
  /** A server, instead of the directory. */
  readonly url?: string
  readonly migrations?: URL
}

export function ownerProcess(directory: string, options: OwnerOptions = {}): OwnerProcess {
  const { before, url, migrations, repository = REPOSITORY, ...user } = options
  const [node, script] = [process.execPath, OWNER].map((path) =>
    path.replace(REPOSITORY, repository),
  )
  const imports = before === undefined ? [] : ['--import', `data:text/javascript,${before}`]
  const work = migrations === undefined ? [directory] : [directory, migrations.href]
  const child = spawn(node ?? '', [...imports, script ?? '', ...work], {
    ...user,
    env: { ...process.env, ...(url !== undefined && { DATABASE_URL: url }) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const exit = once(child, 'close')
  return {
    child,
    async stored() {
      const outcome = await Promise.race([
        exit.then(() => 'ended'),
        (async () => {
          while (!output.includes('stored\n')) await setTimeout(2)
          return 'stored'
        })(),
      ])
      if (outcome === 'ended') throw new Error(output.trim())
    },
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
