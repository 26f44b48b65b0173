import { makeDirectory } from '@orrery/database'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, link, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type postgres from 'postgres'
import { type Place, type Revision, type Table, remove } from '../tables/table.ts'

/** Suffix of a file that is being written. */
const PARTIAL = '.part'

const ID = /^[\da-f-]{36}$/

/** Uploaded bytes on disk, each file named by its upload's id. */
export interface Uploads {
  /** Writes a file completely or not at all. */
  keep(id: string, bytes: Readable): Promise<void>
  path(id: string): string
  /** A further name of a file, whose bytes never change; some file systems need a copy. */
  copy(from: string, to: string): Promise<void>
  /** A path for temporary files; the next start removes what is left there. */
  temporaryPath(): string
  /** Removes files; missing ones are ignored. */
  discard(ids: readonly string[]): Promise<void>
}

/** The directory of one database, beside those of others. */
export async function uploadDirectory(sql: postgres.Sql, root: string): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`select id from installation`
  return join(root, id)
}

/** @param directory  created when missing */
export async function openUploads(directory: string): Promise<Uploads> {
  await makeDirectory(directory, 0o700)
  const path = (id: string): string => join(directory, id)
  return {
    path,
    temporaryPath: () => path(randomUUID()) + PARTIAL,
    async keep(id, bytes) {
      const partial = path(id) + PARTIAL
      try {
        await pipeline(bytes, createWriteStream(partial, { mode: 0o600, flags: 'wx' }))
        const written = await open(partial)
        await written.sync()
        await written.close()
        await rename(partial, path(id))
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async copy(from, to) {
      await link(path(from), path(to)).catch(() => copyFile(path(from), path(to)))
    },
    async discard(ids) {
      for (const id of ids) await rm(path(id), { force: true })
    },
  }
}

/** Removes files that no upload owns, left by a process that died. */
export async function sweepUploads(sql: postgres.Sql, directory: string): Promise<void> {
  const rows = await sql<{ id: string }[]>`select id from upload`
  const owned = new Set(rows.map(({ id }) => id))
  for (const name of await readdir(directory)) {
    const id = name.endsWith(PARTIAL) ? name.slice(0, -PARTIAL.length) : name
    // Other files are left alone.
    if (!ID.test(id) || owned.has(name)) continue
    await rm(join(directory, name), { recursive: true, force: true })
  }
}

/** Removes a client, a project or a version, and then the files of its uploads. */
export function removeWithFiles(
  { sql, uploads }: { readonly sql: postgres.Sql; readonly uploads: Uploads },
  table: Table,
): (place: Place, revision: Revision | undefined) => Promise<void> {
  const key = table.name === 'client' ? 'project.client_id' : `${table.name}.id`
  return async (place, revision) => {
    const rows = await sql<{ id: string }[]>`
      select upload.id from upload
      join version on version.id = upload.version_id
      join project on project.id = version.project_id
      where ${sql(key)} = ${place.id}`
    await remove(sql, table, place, revision)
    await uploads.discard(rows.map(({ id }) => id))
  }
}
