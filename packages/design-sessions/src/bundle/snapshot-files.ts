import { createReadStream } from 'node:fs'
import { type FileHandle, copyFile, link, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { HttpError } from '@orrery/http'
import type postgres from 'postgres'
import { conflict } from '../errors.ts'
import type { Uploads } from '../records/upload-files.ts'
import type { Upload } from '../records/uploads.ts'
import type { DiskShare } from './disk-shares.ts'
import { BUNDLE_BYTES_MAX, FILES_MAX, RECORDS_MAX } from './layout.ts'

export interface BundleFile {
  readonly path: string
  /** undefined when it has changed since */
  readonly bytes: () => Promise<Readable | undefined>
}

export interface SnapshotParts {
  readonly sql: postgres.Sql
  readonly uploads: Uploads
}

interface SnapshotFilesParts extends SnapshotParts {
  readonly share: DiskShare
}

/** A rendered file in the database. */
interface Output {
  readonly artifactId: string
  readonly filename: string
  readonly size: number
  /** version of its row */
  readonly mark: string
}

/** Name of the file with all texts of a snapshot. */
const TEXT = 'text'

/** The files of a snapshot, within the limits of a bundle. */
export class SnapshotFiles implements AsyncDisposable {
  readonly all: BundleFile[] = []
  readonly #directory: string
  readonly #parts: SnapshotFilesParts
  readonly #text: FileHandle
  #textBytes = 0
  #bytes = 0
  #records = 0

  private constructor(directory: string, parts: SnapshotFilesParts, text: FileHandle) {
    this.#directory = directory
    this.#parts = parts
    this.#text = text
  }

  /** @param directory  empty, on the disk of the uploads; the caller removes it */
  static async create(directory: string, parts: SnapshotFilesParts): Promise<SnapshotFiles> {
    return new SnapshotFiles(directory, parts, await open(join(directory, TEXT), 'wx', 0o600))
  }

  /** @throws {HttpError} 409 when there are too many */
  countRecords(count: number): void {
    this.#records += count
    if (this.#records > RECORDS_MAX) throw tooLarge(`${RECORDS_MAX} records`)
  }

  async addText(path: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const start = this.#textBytes
    const end = start + bytes.byteLength - 1
    const copy = join(this.#directory, TEXT)
    this.#add(bytes.byteLength, {
      path,
      bytes: async () => (end < start ? Readable.from([]) : createReadStream(copy, { start, end })),
    })
    this.#parts.share.take(bytes.byteLength)
    await this.#text.appendFile(bytes)
    this.#textBytes += bytes.byteLength
  }

  /** A link survives the removal of the upload; some file systems have none. */
  async addUpload(path: string, { id, original_filename: name }: Upload): Promise<void> {
    const copy = join(this.#directory, id)
    const file = this.#parts.uploads.path(id)
    await link(file, copy)
      .catch(async () => {
        this.#parts.share.take((await stat(file)).size)
        await copyFile(file, copy)
      })
      .catch((error: unknown) => {
        const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        throw isGone ? conflict(`The file of upload ${id}, "${name}", is gone`) : error
      })
    const { size } = await stat(copy)
    this.#add(size, { path, bytes: async () => createReadStream(copy) })
  }

  /** Read when it is sent; left out when it has been rendered again. */
  addOutput(path: string, { artifactId, filename, size, mark }: Output): void {
    this.#add(size, {
      path,
      bytes: async () => {
        const [row] = await this.#parts.sql<{ bytes: Uint8Array }[]>`
          select bytes from render_output
          where artifact_id = ${artifactId} and filename = ${filename} and xmin::text = ${mark}`
        return row && Readable.from([row.bytes])
      },
    })
  }

  /** Written texts stay readable. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#text.close()
  }

  #add(size: number, file: BundleFile): void {
    this.#bytes += size
    if (this.#bytes > BUNDLE_BYTES_MAX) throw tooLarge('2 GiB')
    // The manifest is one more file.
    if (this.all.push(file) >= FILES_MAX) throw tooLarge(`${FILES_MAX} files`)
  }
}

/** 409: a larger bundle could not be imported. */
export function tooLarge(most: string): HttpError {
  return conflict(`Project is too large for a bundle, which has at most ${most}`)
}
