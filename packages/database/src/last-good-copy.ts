import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { syncDirectory, syncTree } from './durable-files.ts'

/** A copy of a cluster that had been closed cleanly, and opened after it was copied. */
export interface LastGoodCopy {
  readonly path: string
  readonly copiedAt: Date
}

// Its presence says that the cluster was closed cleanly and not opened since.
const CLEAN = 'clean'
const COPYING = 'copy.building'
const COPY = /^copy-(?<milliseconds>\d+)$/u
const BROKEN = /^broken-(?<milliseconds>\d+)$/u
const BROKEN_KEPT = 3
const COPIED_BYTES_MAX = 1024 ** 3
// Times are set as seconds in binary fractions, a little beside the original.
const SAME_TIME_MS = 1

/** What of a kind is in a directory, by the time in its name, oldest first. */
function dated(directory: string, name: RegExp): { path: string; milliseconds: number }[] {
  return readdirSync(directory)
    .flatMap((entry) => {
      const milliseconds = name.exec(entry)?.groups?.['milliseconds']
      if (milliseconds === undefined) return []
      return [{ path: join(directory, entry), milliseconds: Number(milliseconds) }]
    })
    .toSorted((a, b) => a.milliseconds - b.milliseconds)
}

/** A name later than all of its kind, also after the clock was set back. */
function nextName(directory: string, name: RegExp, prefix: string): string {
  const last = dated(directory, name).at(-1)?.milliseconds ?? 0
  return join(directory, `${prefix}-${Math.max(Date.now(), last + 1)}`)
}

export function lastGoodCopy(directory: string): LastGoodCopy | undefined {
  const last = dated(directory, COPY).at(-1)
  return last && { path: last.path, copiedAt: new Date(last.milliseconds) }
}

/** Says that the cluster is closed; the next start may copy it. */
export function markClean(directory: string): void {
  writeFileSync(join(directory, CLEAN), '')
}

/** Whether the cluster was closed cleanly. */
export function isClean(directory: string): boolean {
  return existsSync(join(directory, CLEAN))
}

/** Before the cluster is opened: whatever happens to it now, it is no longer the one copied. */
export function unmarkClean(directory: string): void {
  rmSync(join(directory, CLEAN), { force: true })
  syncDirectory(directory)
}

function isUnchanged(file: string, earlier: string): boolean {
  const now = statSync(file)
  const then = statSync(earlier, { throwIfNoEntry: false })
  if (then === undefined || now.size !== then.size) return false
  return Math.abs(now.mtimeMs - then.mtimeMs) < SAME_TIME_MS
}

/**
 * Copies a tree, sharing blocks where the file system can.
 *
 * @param earlier a copy whose files are never written to: those still the same become links to it
 */
export function copyTree(from: string, to: string, earlier?: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = relative(from, file)
    const target = join(to, path)
    if (entry.isDirectory()) mkdirSync(target, { mode: 0o700 })
    else if (earlier !== undefined && isUnchanged(file, join(earlier, path)))
      linkSync(join(earlier, path), target)
    else {
      copyFileSync(file, target, constants.COPYFILE_FICLONE)
      const { atime, mtimeMs } = statSync(file)
      utimesSync(target, atime, mtimeMs / 1000)
    }
  }
}

function bytesOf(tree: string): number {
  const files = readdirSync(tree, { recursive: true, withFileTypes: true })
  return files
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0)
}

/** Copies a closed cluster; not yet as the last good one. False when it is too big. */
export function copyCluster(directory: string, cluster: string): boolean {
  discardCopy(directory)
  if (bytesOf(cluster) > COPIED_BYTES_MAX) return false
  copyTree(cluster, join(directory, COPYING), lastGoodCopy(directory)?.path)
  return true
}

/** Makes the copy, if one was made, the last good one: the cluster has opened. */
export async function acceptCopy(directory: string): Promise<void> {
  const copying = join(directory, COPYING)
  if (!existsSync(copying)) return
  await syncTree(copying)
  const earlier = dated(directory, COPY)
  renameSync(copying, nextName(directory, COPY, 'copy'))
  syncDirectory(directory)
  for (const { path } of earlier) rmSync(path, { recursive: true, force: true })
}

/** Removes a copy that did not become the last good one. */
export function discardCopy(directory: string): void {
  rmSync(join(directory, COPYING), { recursive: true, force: true })
}

/** Moves a broken cluster aside; the oldest of too many is removed. Undefined when it is gone. */
export function setAside(directory: string, cluster: string): string | undefined {
  if (!existsSync(cluster)) return undefined
  const aside = nextName(directory, BROKEN, 'broken')
  renameSync(cluster, aside)
  for (const { path } of dated(directory, BROKEN).slice(0, -BROKEN_KEPT))
    rmSync(path, { recursive: true, force: true })
  return aside
}
