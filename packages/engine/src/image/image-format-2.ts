import { POINTINGS, columnBytes, columnViews } from '@orrery/sim'
import * as v from 'valibot'
import { type ImageHead, assertFits, imageHead } from './image-header.ts'
import { anchorDoubles, shipRows } from './image-layout.ts'
import { type OpenedImage, assertLength } from './image-opening.ts'
import { count, openManeuver, wellFormed } from './image-schema.ts'
import type { StoredManeuvers } from '../maneuvers/maneuver-log.ts'
import { MANEUVER_LEVELS } from '../maneuvers/open-maneuvers.ts'

/** Headers of format 2 name every ship. */
interface Header2 extends ImageHead {
  readonly ships: readonly { shipId: string; number: number; name: string }[]
  readonly pending: number
  /** left out of images that are older than maneuvers */
  readonly maneuvers?: StoredManeuvers
}

const header2: v.GenericSchema<unknown, Header2> = v.intersect([
  imageHead,
  v.object({
    ships: v.array(v.object({ shipId: v.string(), number: count, name: v.string() })),
    pending: count,
    maneuvers: v.exactOptional(
      v.object({
        level: v.picklist(MANEUVER_LEVELS),
        debugged: v.array(count),
        open: v.array(openManeuver),
      }),
    ),
  }),
])

/**
 * Doubles of one waiting command: ship number, index, sequence, throttle, attitude, pointing (by
 * the number of pointings more when it aborts) and target. NaN stands for what the command leaves
 * alone.
 */
const PENDING_DOUBLES = 10

/**
 * Opens an image as earlier releases made them.
 *
 * ```
 * | ships of used chunks | sightings | anchor and drift reference per system | waiting commands |
 * ```
 *
 * @throws {EngineError} 'ERR_IMAGE'
 */
export function openFormat2(stored: unknown, bytes: Uint8Array): OpenedImage {
  const head = wellFormed(header2, stored, 'header')
  assertFits(head)
  const sightingsAt = columnBytes(head.columns, shipRows(head))
  const anchorsAt = sightingsAt + columnBytes(head.sightingColumns, head.sightings)
  const pendingAt = anchorsAt + 8 * anchorDoubles(head)
  assertLength(bytes, pendingAt + 8 * PENDING_DOUBLES * head.pending)
  // A Buffer's own `slice` is no copy.
  const { buffer } = new Uint8Array(bytes)
  const ships = columnViews(head.columns, buffer, 0, shipRows(head))
  const sightings = columnViews(head.sightingColumns, buffer, sightingsAt, head.sightings)
  return {
    head,
    roster: head.ships,
    maneuvers: head.maneuvers,
    pending: pendingOf(new Float64Array(buffer, pendingAt)),
    doubles: new Float64Array(buffer, anchorsAt, anchorDoubles(head)),
    readShips(into) {
      for (const [name, column] of Object.entries(into)) if (ships[name]) column.set(ships[name])
    },
    readSightings(into) {
      for (const [name, column] of Object.entries(into)) {
        if (sightings[name]) column.set(sightings[name])
      }
    },
  }
}

function pendingOf(doubles: Float64Array): OpenedImage['pending'] {
  return Array.from({ length: doubles.length / PENDING_DOUBLES }, (_, i) => {
    const row = doubles.subarray(PENDING_DOUBLES * i, PENDING_DOUBLES * (i + 1))
    return {
      ship: row[0],
      index: row[1],
      sequence: row[2],
      control: {
        ...(row[3] >= 0 && { thrustLevel: row[3] }),
        ...(row[4] === row[4] && { attitude: [row[4], row[5], row[6], row[7]] as const }),
        ...(row[8] >= 0 && { pointing: POINTINGS[row[8] % POINTINGS.length] }),
        ...(row[8] >= POINTINGS.length && { abort: true as const }),
        ...(row[9] >= 0 && { target: row[9] }),
      },
    }
  })
}
