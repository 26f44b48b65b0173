import type { ModuleValues } from '@orrery/client'
import { type Flight, createShipSample } from '@orrery/client/flight'
import { addScaled, length, vector } from '@orrery/page-kit'
import { PER_SECOND, placeAfter, railedRow } from './row-place.ts'

export interface ShownRow {
  readonly id: number
  readonly values: ModuleValues
  /** from the own ship [m], [m/s]; undefined for a row that is nowhere */
  readonly away: { readonly distance: number; readonly speed: number } | undefined
}

const own = createShipSample()
const place = { r: vector(), v: vector() }

/** Rows on rails with the nearest to the own ship first, others as they stand in their table. */
export function nearest(
  rows: readonly ModuleValues[],
  { world, ship, clock }: Flight,
  index: number,
): readonly ShownRow[] {
  const time = clock.now()
  const awayOf = (values: ModuleValues): ShownRow['away'] => {
    const railed = railedRow(values)
    if (!railed || !world.positionAt(own, ship.id, time, railed.around)) return undefined
    placeAfter(place, railed, (time - index) / PER_SECOND)
    addScaled(place.r, place.r, own.r, -1)
    addScaled(place.v, place.v, own.v, -1)
    return { distance: length(place.r), speed: length(place.v) }
  }
  const shown = rows.map((values, i) => ({ id: i + 1, values, away: awayOf(values) }))
  return shown.toSorted((a, b) => (a.away?.distance ?? 0) - (b.away?.distance ?? 0))
}
