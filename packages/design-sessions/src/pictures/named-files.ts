import { readFile } from 'node:fs/promises'
import type postgres from 'postgres'
import type { Uploads } from '../records/upload-files.ts'
import type { PictureFiles } from './pictures.ts'
import { sourceError } from '../render-error.ts'

/** The uploaded pictures that a source names. */
export interface NamedFiles {
  ofVersion(versionId: string, source: string): Promise<PictureFiles>
  /** the newest of any version of a client */
  ofClient(clientId: string, source: string): Promise<PictureFiles>
}

/** Bytes of one picture, and of all in a source. */
const FILE_BYTES_MAX = 5 * 1_048_576
const ALL_BYTES_MAX = 20 * 1_048_576

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg)$/i

interface Row {
  readonly id: string
  readonly name: string
  readonly size: number
}

export function createNamedFiles(sql: postgres.Sql, uploads: Uploads): NamedFiles {
  const files = async (
    versions: postgres.PendingQuery<Row[]>,
    source: string,
  ): Promise<PictureFiles> => {
    const rows = await sql<Row[]>`
      select distinct on (original_filename) id, original_filename as name, file_size as size
      from upload where version_id in (${versions}) order by original_filename, ordinal desc`
    return pictureFiles(
      uploads,
      rows.filter(({ name }) => PICTURE.test(name) && source.includes(name)),
    )
  }
  return {
    ofVersion: (versionId, source) => files(sql`select ${versionId}::uuid`, source),
    ofClient: (clientId, source) =>
      files(
        sql`select version.id from version join project on project.id = project_id
          where client_id = ${clientId}`,
        source,
      ),
  }
}

/** @throws {RenderError} for too many bytes, before they are read */
async function pictureFiles(uploads: Uploads, rows: readonly Row[]): Promise<PictureFiles> {
  let left = ALL_BYTES_MAX
  for (const { name, size } of rows) {
    left -= size
    if (size > FILE_BYTES_MAX || left < 0) throw tooLarge(name, size)
  }
  const files = rows.map(async ({ id, name }) => [name, await readFile(uploads.path(id))] as const)
  return Object.fromEntries(await Promise.all(files))
}

function tooLarge(name: string, size: number): Error {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_048_576)} MiB`
  return sourceError(
    `${name} has ${megabytes(size)}; a picture has at most ${megabytes(FILE_BYTES_MAX)}, ` +
      `all pictures of a source ${megabytes(ALL_BYTES_MAX)}`,
  )
}
