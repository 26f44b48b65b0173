import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import * as v from 'valibot'
import { EngineError, errorText } from '../engine-error.ts'

/** A kind of file that is carried from one machine to another. */
export interface FileKind {
  /** for messages */
  readonly name: string
  /** eight bytes */
  readonly magic: string
  readonly version: number
}

/** Magic, version, bytes packed, bytes unpacked, SHA-256 of all this and of the packed bytes. */
const VERSION_AT = 8
const PACKED_AT = 12
const UNPACKED_AT = 20
const CHECKSUM_AT = 28
const HEAD_BYTES = 60

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * A file that shows damage.
 *
 * ```
 * | head | zstd: length of manifest | manifest, JSON | parts |
 * ```
 */
export async function packFile(
  { magic, version }: FileKind,
  manifest: object,
  parts: readonly Uint8Array[],
): Promise<Uint8Array<ArrayBuffer>> {
  const manifestBytes = Buffer.from(JSON.stringify(manifest))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(manifestBytes.length)
  const unpacked = Buffer.concat([length, manifestBytes, ...parts])
  const packed = await compress(unpacked)
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(magic, 'latin1')
  head.writeUInt32LE(version, VERSION_AT)
  head.writeBigUInt64LE(BigInt(packed.length), PACKED_AT)
  head.writeBigUInt64LE(BigInt(unpacked.length), UNPACKED_AT)
  checksum(head, packed).copy(head, CHECKSUM_AT)
  return Buffer.concat([head, packed])
}

/**
 * Opens such a file.
 *
 * @throws {EngineError} 'ERR_FILE' saying what was found and what was expected
 */
export async function unpackFile<const Schema extends v.GenericSchema>(
  kind: FileKind,
  manifest: Schema,
  file: Uint8Array,
): Promise<{ readonly found: v.InferOutput<Schema>; readonly rest: Buffer }> {
  const whole = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const unpacked = await unpackedBytes(kind, whole)
  const restAt = unpacked.length < 4 ? Infinity : 4 + unpacked.readUInt32LE()
  if (restAt > unpacked.length) throw fileRefusal(kind, 'its manifest is longer than the file')
  const text = unpacked.toString('utf8', 4, restAt)
  return {
    found: parsedPart(kind, manifest, text, 'its manifest'),
    rest: unpacked.subarray(restAt),
  }
}

/** JSON in a file. @throws {EngineError} 'ERR_FILE' */
export function parsedPart<const Schema extends v.GenericSchema>(
  kind: FileKind,
  schema: Schema,
  text: string,
  name: string,
): v.InferOutput<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fileRefusal(kind, `${name} is no JSON`)
  }
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const place = v.getDotPath(issue) ?? 'itself'
  throw fileRefusal(kind, `${name} is broken at ${place}: ${issue.message}`)
}

/** The error that refuses a file. */
export function fileRefusal({ name }: FileKind, reason: string): EngineError {
  return new EngineError('ERR_FILE', `The ${name} file is refused: ${reason}.`)
}

async function unpackedBytes(kind: FileKind, file: Buffer): Promise<Buffer> {
  const refused = (reason: string): EngineError => fileRefusal(kind, reason)
  const magic = file.toString('latin1', 0, kind.magic.length)
  if (magic !== kind.magic) {
    const [found, expected] = [magic, kind.magic].map((text) => JSON.stringify(text))
    throw refused(
      `it is no ${kind.name} file: it begins with ${found} when ${expected} is expected`,
    )
  }
  if (file.length < HEAD_BYTES) {
    throw refused(`it is cut off: ${file.length} bytes when its head alone has ${HEAD_BYTES}`)
  }
  const version = file.readUInt32LE(VERSION_AT)
  if (version !== kind.version) {
    throw refused(`it is of version ${version} when this program reads version ${kind.version}`)
  }
  const packed = file.subarray(HEAD_BYTES)
  const expected = file.readBigUInt64LE(PACKED_AT)
  if (BigInt(packed.length) !== expected) {
    const which = BigInt(packed.length) < expected ? 'is cut off' : 'has something behind its end'
    throw refused(`it ${which}: ${packed.length} bytes follow its head when ${expected} should`)
  }
  const written = file.subarray(CHECKSUM_AT, HEAD_BYTES)
  const found = checksum(file, packed)
  if (!found.equals(written)) {
    throw refused(
      `it is damaged: its checksum is ${found.toString('hex')}` +
        ` when ${written.toString('hex')} is expected`,
    )
  }
  const length = Number(file.readBigUInt64LE(UNPACKED_AT))
  const maxOutputLength = Math.max(length, 1)
  const unpacked = await decompress(packed, { maxOutputLength }).catch((error: unknown) => {
    throw refused(`it does not unpack: ${errorText(error)}`)
  })
  if (unpacked.length !== length) {
    throw refused(`it holds ${unpacked.length} bytes when its head says ${length}`)
  }
  return unpacked
}

function checksum(head: Buffer, packed: Buffer): Buffer {
  return createHash('sha256').update(head.subarray(0, CHECKSUM_AT)).update(packed).digest()
}
