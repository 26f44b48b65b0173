import { HttpError } from '@orrery/http'
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Readable, pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, type ZipFile, openPromise } from 'yauzl'
import { errorText } from '../plain-text.ts'
import { BUNDLE_BYTES_MAX, FILES_MAX, refused } from './layout.ts'

/** A file in the manifest of a bundle. */
export interface Listed {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** An open ZIP with a valid directory; files are checked while they are read. */
export interface Archive extends AsyncDisposable {
  readonly names: ReadonlySet<string>
  /** 0 for a missing file */
  size(path: string): number
  /** From now on these files must have the size and hash of the manifest. */
  expect(files: readonly Listed[]): void
  /** @throws {HttpError} 422 when it is missing, damaged, or differs from the manifest */
  bytes(path: string): AsyncGenerator<Uint8Array>
  /** @throws {HttpError} 422 also when it is too large or not UTF-8 */
  text(path: string, bytesMax: number): Promise<string>
}

const NAME_MAX = 300
const EXTRAS_BYTES_MAX = 1024

/** Excludes `..`, roots, drives, backslashes, control characters, and names with two spellings. */
const NAME = /^(?:[a-z\d][a-z\d._-]*\/)*[a-z\d][a-z\d._-]*$/

/** A larger growth is treated as a bomb, above a harmless size. */
const GROWTH_MAX = 200
const HARMLESS_BYTES = 67_108_864

const STORED = 0
const DEFLATED = 8
const FILE_TYPE_BITS = 0o170000
const REGULAR_FILE = 0o100000

/**
 * Opens a ZIP and checks its directory.
 *
 * @throws {HttpError} 422 when it is broken, encrypted, overlapping or too large, or contains
 *   anything but regular files with plain names
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch(unreadable)
  zip.on('error', () => {})
  try {
    const entries = await soundEntries(zip)
    return opened(zip, entries)
  } catch (error) {
    zip.close()
    throw error
  }
}

function unreadable(error: unknown): never {
  if (error instanceof HttpError || isOfSystem(error)) throw error
  throw refused([], `is not a sound ZIP: ${errorText(error)}`)
}

/** Disk errors are not caused by the file. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

async function soundEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > 2 * FILES_MAX) throw tooMany()
  const entries = new Map<string, Entry>()
  let size = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize } = entry
      const isDirectory = name.endsWith('/') && uncompressedSize === 0
      if (isDirectory) continue
      refuseUnsound(entry)
      if (entries.has(name)) throw refused([name], 'is in the ZIP twice')
      if (entries.size === FILES_MAX) throw tooMany()
      size += uncompressedSize
      if (size > BUNDLE_BYTES_MAX) throw refused([], 'unpacks to more than 2 GiB')
      entries.set(name, entry)
    }
    if (size > HARMLESS_BYTES && size > zip.fileSize * GROWTH_MAX) {
      throw refused([], `unpacks to more than ${GROWTH_MAX} times its size`)
    }
    await refuseOverlaps(zip, [...entries.values()])
  } catch (error) {
    unreadable(error)
  }
  return entries
}

function tooMany(): HttpError {
  return refused([], `has more than ${FILES_MAX} files`)
}

function refuseUnsound(entry: Entry): void {
  const { fileName: name, compressionMethod: method } = entry
  const shown = name.slice(0, NAME_MAX)
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS
  if (name.length > NAME_MAX || !NAME.test(name)) throw refused([shown], 'is no name of a bundle')
  if (entry.isEncrypted()) throw refused([shown], 'is encrypted')
  if (method !== STORED && method !== DEFLATED) {
    throw refused([shown], `is compressed by method ${method}; deflate is known`)
  }
  if (type !== 0 && type !== REGULAR_FILE) throw refused([shown], 'is no regular file')
  if (entry.extraFieldLength + entry.fileCommentLength > EXTRAS_BYTES_MAX) {
    throw refused([shown], 'has too much beside its contents')
  }
}

/** Files that share bytes would make a small ZIP large. */
async function refuseOverlaps(zip: ZipFile, entries: Entry[]): Promise<void> {
  let end = 0
  const byOffset = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  )
  for (const entry of byOffset) {
    if (entry.relativeOffsetOfLocalHeader < end) {
      throw refused([entry.fileName], 'overlaps another file')
    }
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true })
    end = fileDataStart + entry.compressedSize
  }
}

function opened(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Archive {
  const listed = new Map<string, Listed>()
  async function* bytes(path: string): AsyncGenerator<Uint8Array> {
    const entry = entries.get(path)
    if (!entry) throw refused([path], 'is missing in the bundle')
    const expected = listed.get(path)
    const hash = createHash('sha256')
    for await (const chunk of contents(zip, entry)) {
      hash.update(chunk)
      yield chunk
    }
    if (expected && hash.digest('hex') !== expected.sha256) {
      throw refused([path], 'has another SHA-256 than the bundle says')
    }
  }
  return {
    names: new Set(entries.keys()),
    size: (path) => entries.get(path)?.uncompressedSize ?? 0,
    expect(files) {
      for (const file of files) {
        const { path, size } = file
        const entry = entries.get(path)
        if (!entry) throw refused([path], 'is missing in the bundle')
        if (entry.uncompressedSize !== size) {
          throw refused([path], `has ${entry.uncompressedSize} bytes, not ${size}`)
        }
        if (listed.has(path)) throw refused([path], 'is listed twice')
        listed.set(path, file)
      }
    },
    bytes,
    async text(path, bytesMax) {
      if (this.size(path) > bytesMax) throw refused([path], `has more than ${bytesMax} bytes`)
      const chunks: Uint8Array[] = []
      for await (const chunk of bytes(path)) chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      if (!isUtf8(whole)) throw refused([path], 'is not UTF-8')
      return whole.toString()
    },
    [Symbol.asyncDispose]: async () => zip.close(),
  }
}

/** Unpacks a file up to the size in its directory entry. */
async function* contents(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const { fileName: name, uncompressedSize: size, compressionMethod: method } = entry
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch(unreadable)
  // The reader receives the error; a later one would end the process.
  raw.on('error', () => {})
  let total = 0
  let sum = 0
  try {
    for await (const chunk of method === STORED ? raw : inflated(raw)) {
      total += (chunk as Buffer).byteLength
      if (total > size) break
      sum = crc32(chunk as Buffer, sum)
      yield chunk as Buffer
    }
  } catch (error) {
    if (error instanceof HttpError || isOfSystem(error)) throw error
    throw refused([name], 'is damaged')
  } finally {
    raw.destroy()
  }
  if (total !== size || sum !== entry.crc32) throw refused([name], 'is damaged')
}

function inflated(raw: Readable): Readable {
  const inflate = createInflateRaw()
  // The error reaches the reader.
  return pipeline(raw, inflate, () => {})
}
