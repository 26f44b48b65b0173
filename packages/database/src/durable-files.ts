import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Runtime = Parameters<NodeFS['init']>[1]

interface OpenFile {
  readonly nfd: number
}

interface FileOperations {
  fsync?(file: OpenFile): number
}

/**
 * PGlite's file system on a real directory, with a working `fsync`.
 *
 * PGlite ships with fsync off and a file system that ignores it: a commit would survive the death
 * of the process but not the loss of power.
 */
export class DurableFiles extends NodeFS {
  readonly #onAbort: () => void

  constructor(directory: string, onAbort: () => void) {
    super(directory)
    this.#onAbort = onAbort
  }

  override async init(
    ...[database, runtime]: Parameters<NodeFS['init']>
  ): Promise<{ emscriptenOpts: Runtime }> {
    const { emscriptenOpts } = await super.init(database, runtime)
    const preRun = [...(emscriptenOpts.preRun ?? [])]
    preRun.push((module) => {
      const files: { stream_ops?: FileOperations } = module.FS.filesystems.NODEFS
      const operations = files.stream_ops
      if (operations === undefined) throw new Error('PGlite has no file operations to complete')
      operations.fsync = ({ nfd }) => {
        fdatasyncSync(nfd)
        return 0
      }
    })
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: () => this.#onAbort() } }
  }
}

/** Makes the entries of a directory durable; a no-op where directories cannot be opened. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Makes every file and directory under (and including) a directory durable. */
export async function syncTree(directory: string): Promise<void> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  // Together, so that the file system commits them in a few batches instead of one by one.
  await Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const file = await open(join(entry.parentPath, entry.name), 'r+')
        await file.sync()
        await file.close()
      }),
  )
  for (const entry of files)
    if (entry.isDirectory()) syncDirectory(join(entry.parentPath, entry.name))
  syncDirectory(directory)
  syncDirectory(dirname(directory))
}
