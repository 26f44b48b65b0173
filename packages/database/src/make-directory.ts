import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a directory and its missing parents.
 *
 * Node's own recursive call never returns where the system answers `ENOENT` for a parent that
 * exists, as in `/proc`.
 *
 * @throws the system's error
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  if (existsSync(path)) return
  await makeDirectory(dirname(path), mode)
  await mkdir(path, { mode }).catch((error: unknown) => {
    // Another process was faster.
    if (Object(error).code !== 'EEXIST') throw error
  })
}
