// Writes ZIP files, valid and invalid ones: a test can set every field.
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array
  /** stored by default */
  readonly deflated?: boolean
  /** fields of the headers that differ from the truth */
  readonly said?: {
    readonly crc?: number
    readonly size?: number
    readonly packed?: number
    readonly method?: number
    readonly flags?: number
    /** Unix mode, with the bits of the type */
    readonly mode?: number
    /** sizes in an extra field of ZIP64, 0xffffffff in their places */
    readonly zip64?: boolean
    /** index of the entry whose header and bytes this one shares */
    readonly at?: number
  }
  /** sizes and sum follow the bytes */
  readonly described?: boolean
}

const UTF8 = 0x800
const DESCRIBED = 0x8
const WIDE = 0xff_ff_ff_ff

function words(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value))
      else field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )
}

/** @param count  the number of entries in the end record */
export function zipOf(entries: readonly ZipEntry[], count: number = entries.length): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let length = 0
  const add = (part: Buffer): void => {
    parts.push(part)
    length += part.byteLength
  }
  for (const { name: text, bytes, deflated = false, described = false, said = {} } of entries) {
    const name = Buffer.from(text)
    const packed = deflated ? deflateRawSync(bytes) : Buffer.from(bytes)
    const { crc = crc32(bytes), size = bytes.byteLength, mode = 0o100644, zip64 = false } = said
    const { method = deflated ? 8 : 0, packed: packedSize = packed.byteLength } = said
    const flags = UTF8 | (described ? DESCRIBED : 0) | (said.flags ?? 0)
    offsets.push(said.at === undefined ? length : offsets[said.at])
    const extra = zip64 ? words([2, 1], [2, 16], [8, size], [8, packedSize]) : Buffer.alloc(0)
    const sizes = zip64 ? ([WIDE, WIDE] as const) : ([packedSize, size] as const)
    const start = words([2, 45], [2, flags], [2, method], [2, 0], [2, 33])
    const lengths = words([2, name.byteLength], [2, extra.byteLength])
    const sums = words([4, crc], [4, sizes[0]], [4, sizes[1]])
    if (said.at === undefined) {
      add(words([4, 0x04034b50]))
      add(Buffer.concat([start, described ? Buffer.alloc(12) : sums, lengths, name, extra, packed]))
      if (described) add(Buffer.concat([words([4, 0x08074b50]), sums]))
    }
    directory.push(
      Buffer.concat([
        words([4, 0x02014b50], [2, 0x031e]),
        Buffer.concat([start, sums, lengths]),
        words([2, 0], [2, 0], [2, 0], [2, 0], [2, mode], [4, offsets[offsets.length - 1]]),
        Buffer.concat([name, extra]),
      ]),
    )
  }
  const index = Buffer.concat(directory)
  const end = words([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count])
  const place = words([4, index.byteLength], [4, length], [2, 0])
  return Buffer.concat([...parts, index, end, place])
}
