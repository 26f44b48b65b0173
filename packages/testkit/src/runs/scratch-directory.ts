/** Where tests store files: in memory where it suffices, so that no test waits for a disk. */
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../services/processes.ts'

/** Of Linux; containers often have a small one. */
const MEMORY = '/dev/shm'
const BYTES_MIN = 3 * 2 ** 30

const PREFIX = 'orrery-tests-'

/**
 * Makes `TMPDIR` of this process and its children a directory in memory, which is removed at the
 * end of this process. It stays as it is where it is set already, or where memory is short.
 */
export function keepTestFilesInMemory(): void {
  if (process.env['TMPDIR'] || freeBytes(MEMORY) < BYTES_MIN) return
  removeLeftovers()
  const directory = join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(directory, { recursive: true })
  process.env['TMPDIR_OF_RUN'] = directory
  process.env['TMPDIR'] = directory
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** A run that was killed has left its directory. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : NaN
    if (pid > 0 && !isRunning(pid)) removeIfFree(join(MEMORY, name))
  }
}

/** A test of small file systems that was killed has left a mount. */
function removeIfFree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Another run is not stopped by it.
  }
}
