/** A ship's flight as a file: its track, and what was ordered and happened on the way. */
import { say } from '../languages/say.ts'

export interface RecordedEvent {
  /** game time [Unix ms] */
  readonly ms: number
  readonly kind: 'event' | 'order' | 'error'
  readonly text: string
}

/** Game time [Unix ms], place of the body in the record's list, position from its centre [m]. */
export type TrackPoint = readonly [ms: number, body: number, x: number, y: number, z: number]

export interface FlightRecord {
  readonly format: 'orrery-flight'
  readonly version: 1
  readonly ship: string
  readonly system: { readonly id: string; readonly name: string }
  readonly isPractice: boolean
  readonly bodies: readonly string[]
  /** by rising time */
  readonly track: readonly TrackPoint[]
  readonly events: readonly RecordedEvent[]
}

export const VERSION = 1
export const POINTS_MAX = 4000
export const EVENTS_MAX = 200

/** Of a file [bytes]. */
export const BYTES_MAX = 1_000_000

const TEXT_MAX = 400
const BODIES_MAX = 200
const KINDS: ReadonlySet<unknown> = new Set(['event', 'order', 'error'])

/** Some thousand years on either side of 1970: what a date can be. */
const MS_MAX = 8.64e15

export function writeRecord(record: FlightRecord): string {
  return JSON.stringify(record)
}

/** Reads a record from a file's text; a sentence where it cannot. */
export function readRecord(text: string): FlightRecord | string {
  let value: Partial<FlightRecord>
  try {
    value = Object(JSON.parse(text))
  } catch {
    return DAMAGED
  }
  const { format, version } = value
  if (format !== 'orrery-flight') return DAMAGED
  if (version !== VERSION) {
    const form = say('its form is {version}, this page reads {own}', {
      version: String(version).slice(0, 9),
      own: VERSION,
    })
    return say('This flight is from another release of Orrery ({form}).', { form })
  }
  return isRecord(value) ? value : DAMAGED
}

const DAMAGED = say('This is no flight of Orrery, or the file is damaged.')

function isRecord(value: Partial<FlightRecord>): value is FlightRecord {
  const { bodies, events, isPractice, ship, system, track } = value
  const isWhole = Array.isArray(bodies) && Array.isArray(track) && Array.isArray(events)
  return (
    isWhole &&
    typeof isPractice === 'boolean' &&
    [ship, system?.id, system?.name, ...bodies].every(isText) &&
    bodies.length <= BODIES_MAX &&
    events.length <= EVENTS_MAX &&
    events.every(isEvent) &&
    track.length > 1 &&
    track.length <= POINTS_MAX &&
    track.every((point, i) => isPoint(point, bodies.length) && !(point[0] < track[i - 1]?.[0]))
  )
}

function isText(text: unknown): boolean {
  return typeof text === 'string' && text.length <= TEXT_MAX
}

function isTime(ms: unknown): boolean {
  return typeof ms === 'number' && Math.abs(ms) <= MS_MAX
}

function isEvent(value: unknown): boolean {
  const { ms, kind, text } = Object(value)
  return isTime(ms) && KINDS.has(kind) && isText(text)
}

function isPoint(value: unknown, bodies: number): boolean {
  if (!Array.isArray(value) || value.length !== 5 || !isTime(value[0])) return false
  const [, body] = value
  return Number.isInteger(body) && body >= 0 && body < bodies && value.every(Number.isFinite)
}
