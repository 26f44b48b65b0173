/** Directories that one process of a test run makes, and the others copy. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 20
/** After it, whoever makes it has been killed. */
const WAIT_MS_MAX = 60_000

/** Made by the first process of a run that needs it, where all find it; outside a run its own. */
export async function madeOnce(
  name: string,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  // Only a directory of the run itself has none of another release.
  if (process.env['TMPDIR_OF_RUN'] === undefined) return ownDirectory(name, make)
  const path = join(tmpdir(), name)
  if (!isFirst(`${path}.lock`)) {
    const endMs = performance.now() + WAIT_MS_MAX
    while (!existsSync(path) && performance.now() < endMs) await sleep(POLL_MS)
    return existsSync(path) ? path : ownDirectory(name, make)
  }
  mkdirSync(`${path}.new`)
  await make(`${path}.new`)
  renameSync(`${path}.new`, path)
  return path
}

/** PostgreSQL's files belong to another user when this one is root: `cp` keeps that. */
export function copyDirectory(from: string, to: string): void {
  if (process.platform === 'win32') cpSync(from, to, { recursive: true })
  else execFileSync('cp', ['-a', from, to])
}

async function ownDirectory(
  name: string,
  make: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), `orrery-${name}-`))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await make(directory)
  return directory
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    throw error
  }
}
