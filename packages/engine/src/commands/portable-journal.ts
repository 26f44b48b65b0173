import { PHYSICS } from '@orrery/sim'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import * as v from 'valibot'
import type { KeptCommand } from './command-row.ts'
import { EngineError, errorText } from '../engine-error.ts'
import type { UniverseImage } from '../image/universe-image.ts'
import { parseKeptCommand } from './kept-command.ts'
import type { Rule } from '../rules/rule.ts'
import { enterRoster } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/**
 * One line of a journal that is carried from one machine to another; those of a system in order of
 * sequence.
 */
export type PortableRecord =
  | {
      readonly kind: 'command'
      readonly systemId: string
      readonly sequence: number
      /** lattice index at which it acts */
      readonly index: number
      readonly command: KeptCommand
    }
  | {
      readonly kind: 'clock'
      readonly systemId: string
      /** of the last command before it */
      readonly sequence: number
      /** published lattice index */
      readonly index: number
      /** carried part of a quantum, numerator and denominator in decimal */
      readonly remainder: readonly [string, string]
      readonly tick: number
    }
  | {
      readonly kind: 'digest'
      readonly systemId: string
      readonly index: number
      readonly digest: string
    }

/** A stored span of a universe's life, whole and by itself. */
export interface PortableJournal {
  readonly era: number
  /** the universe that the records begin with */
  readonly image: UniverseImage
  readonly records: Iterable<PortableRecord>
}

const MAGIC = 'orreryJ\n'
const VERSION = 2

/** Magic, version, bytes packed, bytes unpacked, SHA-256 of all this and of the packed bytes. */
const VERSION_AT = 8
const PACKED_AT = 12
const UNPACKED_AT = 20
const CHECKSUM_AT = 28
const HEAD_BYTES = 60

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const whole = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(whole, v.minValue(0))
const digits = v.pipe(v.string(), v.digits())
const manifest = v.object({
  physics: count,
  era: count,
  imageBytes: count,
  header: v.record(v.string(), v.unknown()),
})
const record = v.variant('kind', [
  v.object({
    kind: v.literal('command'),
    systemId: v.string(),
    sequence: count,
    index: whole,
    command: v.unknown(),
  }),
  v.object({
    kind: v.literal('clock'),
    systemId: v.string(),
    sequence: count,
    index: whole,
    remainder: v.tuple([digits, digits]),
    tick: count,
  }),
  v.object({
    kind: v.literal('digest'),
    systemId: v.string(),
    index: whole,
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be of 32 hexadecimal digits')),
  }),
])

/**
 * Calls every ship of a system `Ship <number>`, and returns what does the same for the commands
 * that follow it: players are named nowhere else. Ids of ships stay, since they decide where ships
 * begin; so do the names of stations and gates, which belong to the place.
 */
export function takeNamesOut(world: World): (command: KeptCommand) => KeptCommand {
  const numbers = new Map<string, number>()
  let { nextNumber } = world.roster
  for (const entry of world.roster.byId.values()) {
    numbers.set(entry.shipId, entry.number)
    enterRoster(world.roster, { ...entry, name: `Ship ${entry.number}` })
  }
  for (const [ship, rules] of world.rules.ofShip) world.rules.ofShip.set(ship, rules.map(unnamed))
  return (command) => {
    if (command.kind === 'set_rules') {
      const rules = command.rules.map((rule) => ('condition' in rule ? unnamed(rule) : rule))
      return { ...command, rules }
    }
    if (command.kind === 'create_ship') numbers.set(command.shipId, nextNumber++)
    if (command.kind === 'arrive_ship') {
      const { shipId, rules } = command.handOff
      numbers.set(shipId, nextNumber++)
      const name = `Ship ${numbers.get(shipId)}`
      const unnamedRules = rules && { rules: rules.map(unnamed) }
      return { ...command, handOff: { ...command.handOff, name, ...unnamedRules } }
    }
    if (command.kind !== 'create_ship' && command.kind !== 'rename_ship') return command
    return { ...command, name: `Ship ${numbers.get(command.shipId)}` }
  }
}

function unnamed(rule: Rule): Rule {
  return { ...rule, name: 'Rule', source: '' }
}

/**
 * A journal as one file.
 *
 * ```
 * | head | zstd: length of manifest | manifest | state | records, one line of JSON each |
 * ```
 */
export async function packJournal({ era, image, records }: PortableJournal): Promise<Uint8Array> {
  const { header, bytes } = image
  const text = JSON.stringify({ physics: PHYSICS, era, imageBytes: bytes.length, header })
  const manifestBytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(manifestBytes.length)
  const pieces = [length, manifestBytes, bytes]
  for (const one of records) pieces.push(Buffer.from(`${JSON.stringify(one)}\n`))
  const unpacked = Buffer.concat(pieces)
  const packed = await compress(unpacked)
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(VERSION, VERSION_AT)
  head.writeBigUInt64LE(BigInt(packed.length), PACKED_AT)
  head.writeBigUInt64LE(BigInt(unpacked.length), UNPACKED_AT)
  checksum(head, packed).copy(head, CHECKSUM_AT)
  return Buffer.concat([head, packed])
}

/**
 * Opens such a file. Its records are read as they are asked for, and may throw, too.
 *
 * @throws {EngineError} 'ERR_JOURNAL_FILE' saying what was found and what was expected
 */
export async function unpackJournal(file: Uint8Array): Promise<PortableJournal> {
  const unpacked = await unpackedBytes(Buffer.from(file.buffer, file.byteOffset, file.byteLength))
  const stateAt = unpacked.length < 4 ? Infinity : 4 + unpacked.readUInt32LE()
  if (stateAt > unpacked.length) throw refused('its manifest is longer than the file')
  const { physics, era, imageBytes, header } = parsed(
    manifest,
    unpacked.toString('utf8', 4, stateAt),
    'its manifest',
  )
  if (physics !== PHYSICS) {
    throw refused(`it was made by physics ${physics}, and this program has physics ${PHYSICS}`)
  }
  const recordsAt = stateAt + imageBytes
  if (recordsAt > unpacked.length) {
    throw refused(`its state has ${unpacked.length - stateAt} bytes of ${imageBytes}`)
  }
  const image = {
    header: header as unknown as UniverseImage['header'],
    bytes: new Uint8Array(unpacked.subarray(stateAt, recordsAt)),
  }
  return { era, image, records: { [Symbol.iterator]: () => recordsIn(unpacked, recordsAt) } }
}

async function unpackedBytes(file: Buffer): Promise<Buffer> {
  const magic = file.toString('latin1', 0, MAGIC.length)
  if (magic !== MAGIC) {
    const [found, expected] = [magic, MAGIC].map((text) => JSON.stringify(text))
    throw refused(`it is no journal file: it begins with ${found} when ${expected} is expected`)
  }
  if (file.length < HEAD_BYTES) {
    throw refused(`it is cut off: ${file.length} bytes when its head alone has ${HEAD_BYTES}`)
  }
  const version = file.readUInt32LE(VERSION_AT)
  if (version !== VERSION) {
    throw refused(`it is of version ${version} when this program reads version ${VERSION}`)
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

function* recordsIn(unpacked: Buffer, begin: number): Generator<PortableRecord, void> {
  let line = 1
  for (let at = begin; at < unpacked.length; line++) {
    const end = unpacked.indexOf('\n', at)
    const name = `its record ${line}`
    if (end < 0) throw refused(`${name} has no end`)
    const one = parsed(record, unpacked.toString('utf8', at, end), name)
    yield one.kind === 'command' ? { ...one, command: command(one.command, name) } : one
    at = end + 1
  }
}

function command(value: unknown, name: string): KeptCommand {
  try {
    return parseKeptCommand(value)
  } catch (error) {
    throw refused(`${name} is broken: ${errorText(error)}`)
  }
}

function checksum(head: Buffer, packed: Buffer): Buffer {
  return createHash('sha256').update(head.subarray(0, CHECKSUM_AT)).update(packed).digest()
}

function parsed<const Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
  name: string,
): v.InferOutput<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refused(`${name} is no JSON`)
  }
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw refused(`${name} is broken at ${v.getDotPath(issue) ?? 'itself'}: ${issue.message}`)
}

function refused(reason: string): EngineError {
  return new EngineError('ERR_JOURNAL_FILE', `The journal file is refused: ${reason}.`)
}
