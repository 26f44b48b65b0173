import { CATALOG_OBJECTS, bodyIndex, solSystem } from '@orrery/catalog'
import type { Control, ManeuverOrder } from '@orrery/sim'

/** A part of the voyage: orders to the ship, and what ends it. */
export interface Leg {
  readonly title: string
  /** the last may begin a maneuver, whose end then ends the leg */
  readonly orders: readonly Control[]
  /** else this event does */
  readonly until?: 'refuelled'
}

const DAY = 86_400

/** From low Earth orbit to the station of the Moon, and back to that of the Earth. */
export const VOYAGE: readonly Leg[] = [
  { title: 'To the Moon', orders: [transfer('Moon', 100_000)] },
  { title: 'To Moon Station', orders: [dock('Moon Station')] },
  { title: 'Refuelling', orders: [], until: 'refuelled' },
  { title: 'Back to the Earth', orders: [{ undock: true }, transfer('Earth', 500_000)] },
  { title: 'To Earth Station', orders: [dock('Earth Station')] },
]

/** @param altitude  of the last orbit [m] */
function transfer(name: string, altitude: number): Control {
  const body = bodyIndex(solSystem, name)
  return maneuver({ maneuver: 'transfer', body, timeout: 60 * DAY, params: [altitude] })
}

function dock(name: string): Control {
  const station = CATALOG_OBJECTS.find((object) => object.name === name)
  if (station?.kind !== 'create_station') throw new Error(`No station ${name} in the catalog.`)
  const { stationId } = station
  return maneuver({ maneuver: 'dock', stationId, timeout: 10 * DAY, params: [] })
}

function maneuver(order: ManeuverOrder): Control {
  return { maneuver: order }
}
