// A file system in memory that is soon full, or read-only, for tests that may mount one.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SmallFileSystem {
  readonly directory: string
  /** Why there is none. */
  readonly unavailable?: string
  roomBytes(): number
  makeReadOnly(): void
  remove(): void
}

export function smallFileSystem(megabytes: number): SmallFileSystem {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-small-'))
  try {
    const size = `size=${megabytes}m`
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', directory], { stdio: 'pipe' })
  } catch (error) {
    rmdirSync(directory)
    const unavailable = `(no small file system: ${String(error).split('\n', 1)[0]})`
    const nothing = (): void => {}
    return { directory, unavailable, roomBytes: () => 0, makeReadOnly: nothing, remove: nothing }
  }
  chmodSync(directory, 0o777)
  return {
    directory,
    roomBytes() {
      const { bavail, bsize } = statfsSync(directory)
      return bavail * bsize
    },
    makeReadOnly: () => {
      execFileSync('mount', ['-o', 'remount,ro', directory])
    },
    remove() {
      execFileSync('umount', ['--lazy', directory])
      rmdirSync(directory)
    },
  }
}
