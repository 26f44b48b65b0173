import { subject } from '@orrery/bus'
import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { StreamError } from './stream-error.ts'

/** A command as its owner has journalled it. */
export interface StreamedRow {
  readonly sequence: number
  /** lattice index at which it acts */
  readonly index: number
  readonly command: unknown
}

/** Commands of a star system that have just become durable, in their order. */
export interface RowsMessage {
  readonly kind: 'rows'
  readonly era: number
  readonly fence: number
  readonly rows: readonly StreamedRow[]
}

/** Up to its index nothing can change any more: all commands that act until then are durable. */
export interface Watermark {
  readonly kind: 'mark'
  readonly era: number
  readonly fence: number
  /** of the last command that was accepted when the owner published the index */
  readonly sequence: number
  /** lattice index */
  readonly index: number
  /** carried part of a quantum, numerator and denominator in decimal */
  readonly remainder: readonly [string, string]
  readonly tick: number
  /** ticks per second, and game seconds per second, as set */
  readonly tickRate: number
  readonly timeScale: number
  readonly paused: boolean
}

export type StreamMessage = RowsMessage | Watermark

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const decimal = v.pipe(v.string(), v.regex(/^-?\d+$/))

const streamMessage: v.GenericSchema<unknown, StreamMessage> = v.variant('kind', [
  v.strictObject({
    kind: v.literal('rows'),
    era: count,
    fence: count,
    rows: v.array(v.strictObject({ sequence: count, index: count, command: v.unknown() })),
  }),
  v.strictObject({
    kind: v.literal('mark'),
    era: count,
    fence: count,
    sequence: count,
    index: count,
    remainder: v.strictTuple([decimal, decimal]),
    tick: count,
    tickRate: v.number(),
    timeScale: v.number(),
    paused: v.boolean(),
  }),
])

const CHECKSUM_BYTES = 4

/** Where an owner publishes its rows; without a fence those of all owners. */
export function rowSubject(systemId: string, fence: number | '*' = '*'): string {
  return subject('row', systemId, fence)
}

/** A CRC-32 of the rest, which is JSON: of a damaged message nothing is flown. */
export function encodeStreamMessage(message: StreamMessage): Uint8Array {
  const text = Buffer.from(JSON.stringify(message))
  const payload = Buffer.allocUnsafe(CHECKSUM_BYTES + text.length)
  payload.writeUInt32BE(crc32(text), 0)
  payload.set(text, CHECKSUM_BYTES)
  return payload
}

/** @throws {StreamError} 'ERR_STREAM_DAMAGED' */
export function decodeStreamMessage(payload: Uint8Array): StreamMessage {
  if (payload.length < CHECKSUM_BYTES) throw damaged('it is cut')
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  if (crc32(text.subarray(CHECKSUM_BYTES)) !== text.readUInt32BE(0)) {
    throw damaged('its checksum differs')
  }
  const content: unknown = JSON.parse(text.toString('utf8', CHECKSUM_BYTES))
  const result = v.safeParse(streamMessage, content, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw damaged(`at ${v.getDotPath(issue) ?? 'itself'} it is not of this release`)
}

function damaged(what: string): StreamError {
  return new StreamError('ERR_STREAM_DAMAGED', `A message of the row stream is damaged: ${what}.`)
}
