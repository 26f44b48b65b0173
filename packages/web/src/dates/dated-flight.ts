/**
 * A flight at another date: the own ship where its forecast has it, and stations and gates on their
 * rails. Other ships are not known.
 */
import type { Almanac } from '@orrery/client/almanac'
import { type Flight, type Forecast, type World, createShipSample } from '@orrery/client/flight'
import { type Vector, vector } from '@orrery/page-kit'
import type { Surroundings } from '../scene/surroundings.ts'

/** Lattice indices per millisecond. */
const PER_MS = 64 / 1000

type Sky = Pick<Surroundings, 'bodies' | 'chain'> & { readonly date: number }

/** Of the own ship as it flies now; undefined before the first one. */
export type ForecastNow = () => Forecast | undefined

/** The lattice index of a date near the present, for forecasts [Unix ms]. */
export function latticeOf({ clock }: Flight, ms: number): number {
  const now = clock.now()
  return now + (ms - clock.utc(now)) * PER_MS
}

export function datedFlight(
  flight: Flight,
  sky: Sky,
  almanac: Pick<Almanac, 'railAt'>,
  forecast: ForecastNow,
): Flight {
  const { ship, world } = flight
  const own = world.ship(ship.id)
  const ships = own ? [own] : []
  const sample = createShipSample()
  const at = vector()
  const pageIndex = (index: number): number => {
    const name = world.system?.bodies[index]?.name
    return sky.bodies.findIndex((body) => body.name === name)
  }
  /** Writes how a place about a body is seen from another one; NaN where none is known. */
  const shifted = (out: Vector, body: number, offset: Vector, center?: string): boolean => {
    const from = sky.bodies.findIndex(({ name }) => name === center)
    if (body < 0 || from < 0) return false
    sky.chain.difference(out, { body: from, offset: ORIGIN }, { body, offset })
    return true
  }
  const ownAt = (out: Vector, time: number, center?: string): boolean => {
    if (!forecast()?.stateAt(sample, time)) return false
    return shifted(out, pageIndex(sample.reference), sample.r, center)
  }
  const dated: World = {
    get system() {
      return world.system
    },
    get classes() {
      return world.classes
    },
    ships: () => ships,
    ship: (id) => world.ship(id),
    shipAt: (out, id, time) => id === ship.id && (forecast()?.stateAt(out, time) ?? false),
    positionAt: (out, id, time, center) => id === ship.id && ownAt(out.r, time, center),
    positionsAt: (out, time, center) => {
      if (ships.length > 0) out.set(ownAt(at, time, center) ? at : UNKNOWN)
      return ships.length
    },
    statesAt: (out, indices, time, center) => {
      if (indices.length === 0) return
      out.set(ownAt(at, time, center) ? at : UNKNOWN)
      out.set(sample.v, 3)
    },
    bodyAt: () => false,
    objects: () => world.objects(),
    rows: () => world.rows(),
    objectAt: (out, id, _, center) => {
      const rail = world.objects().find((object) => object.id === id)?.rail
      if (!rail) return false
      const parent = pageIndex(rail.parent)
      const here =
        rail.kind === 'lagrange'
          ? { ...rail, parent, secondary: pageIndex(rail.secondary) }
          : { ...rail, parent }
      if (!almanac.railAt(out, here, sky.date)) return false
      return shifted(out.r, parent, vector(...out.r), center)
    },
    lagrangeAt: () => false,
    completeness: () => world.completeness(),
    on: (kind, listener) => world.on(kind, listener),
  }
  return { ...flight, world: dated }
}

const ORIGIN = vector()
const UNKNOWN = vector(NaN, NaN, NaN)
