import {
  type EventKind,
  FROZEN,
  PLAN,
  PLAN_DOUBLES,
  type ShipEvent,
  bodyRate,
  bodyState,
  createStateVector,
  isDocked,
  segmentAttitude,
  segmentFuel,
  shipClassOf,
  thrustLimitOf,
  wheelSaturation,
} from '@orrery/sim'
import type { RosterEntry } from '../world/roster.ts'
import type { ModuleEvent } from '../world/world-modules.ts'
import type { World } from '../world/world.ts'
import type { EndedManeuver } from '../world/maneuver.ts'
import type { ManeuverNote } from '../maneuvers/maneuver-end.ts'
import { type ManeuverView, maneuverView } from './maneuver-view.ts'
import { meanOrbit } from './mean-orbit.ts'
import { type Orbit, osculatingOrbit } from './orbit.ts'
import { loadRelative, relative } from './ship-place.ts'
import { type SteeringView, steeringView } from './steering-view.ts'

type Triple = [number, number, number]

/** A ship at one moment, SI units, inertial axes. */
export interface ShipView {
  readonly shipId: string
  readonly name: string
  readonly systemId: string
  /** name of its class */
  readonly shipClass: string
  readonly referenceBody: string
  /** relative to the system's barycentre [m], [m/s] */
  readonly position: Triple
  readonly velocity: Triple
  /** relative to the reference body */
  readonly relativePosition: Triple
  readonly relativeVelocity: Triple
  /** w, x, y, z: body to inertial */
  readonly attitude: [number, number, number, number]
  /** body axes [rad/s] */
  readonly angularVelocity: Triple
  readonly thrustLevel: number
  readonly fuel: number
  readonly fuelCapacity: number
  readonly mass: number
  /** that the fuel is good for [m/s] */
  readonly deltaV: number
  readonly wheelSaturation: Triple
  readonly frozen: boolean
}

const center = createStateVector()
const rate = new Float64Array(3)

/**
 * A ship at the published index plus `offset` quanta (0 up to 1), read from its open step.
 */
export function shipView(world: World, entry: RosterEntry, offset: number): ShipView {
  const { state, index } = world
  const { ships } = state
  const { slot } = entry
  const ship = shipClassOf(state, slot)
  const { ephemeris } = state
  const reference = ships.reference[slot]
  const passed = loadRelative(world, slot, offset)
  bodyState(center, ephemeris, reference, -1, index, offset)
  const fuel = segmentFuel(ships, slot, passed)
  return {
    shipId: entry.shipId,
    name: entry.name,
    systemId: ephemeris.system.id,
    shipClass: ship.name,
    referenceBody: ephemeris.system.bodies[reference].name,
    position: sum(relative.r, center.r),
    velocity: sum(relative.v, center.v),
    relativePosition: triple(relative.r),
    relativeVelocity: triple(relative.v),
    attitude: shownAttitude(world, slot, offset),
    angularVelocity: angularVelocity(world, slot),
    thrustLevel: fuel > 0 ? ships.thrustLevel[slot] : 0,
    fuel,
    fuelCapacity: ship.fuelCapacity,
    mass: ship.dryMass + fuel,
    deltaV: ship.exhaustVelocity * Math.log(1 + fuel / ship.dryMass),
    wheelSaturation: [
      wheelSaturation(ships.wheelMomentum, slot, 0, ship),
      wheelSaturation(ships.wheelMomentum, slot, 1, ship),
      wheelSaturation(ships.wheelMomentum, slot, 2, ship),
    ],
    frozen: ships.condition[slot] === FROZEN,
  }
}

/** What a ship's pilot alone sees. */
export interface PilotView {
  readonly orbit: Orbit
  /** without what the oblateness of the body moves in each revolution */
  readonly meanOrbit: Orbit
  /** under way; null when none is */
  readonly maneuver: ManeuverView | null
  /** the last one, from its end until the next begins; null when none is known */
  readonly lastManeuver: EndedManeuver | null
  /** id of the station it is docked at; null in flight */
  readonly dockedAt: string | null
  readonly steering: SteeringView
  /** part of the thrust of its class that modules leave it, 0 to 1; absent where they leave all */
  readonly thrustLimit?: number
}

/** A ship as its pilot sees it. */
export interface OwnShipView extends ShipView, PilotView {}

/** What a ship's pilot sees at the same moment. */
export function pilotView(world: World, entry: RosterEntry, offset: number): PilotView {
  const { slot } = entry
  const { state } = world
  const fuel = segmentFuel(state.ships, slot, loadRelative(world, slot, offset))
  const body = state.system.bodies[state.ships.reference[slot]]
  const limit = thrustLimitOf(state.ships, slot)
  const [r, v] = [triple(relative.r), triple(relative.v)]
  return {
    orbit: osculatingOrbit(r, v, body),
    meanOrbit: meanOrbit(r, v, body),
    maneuver: maneuverView(world, entry, offset),
    lastManeuver: world.maneuvers.ended.get(entry.number) ?? null,
    dockedAt: dockedAt(world, slot),
    steering: steeringView(world, entry, fuel),
    ...(limit < 1 && { thrustLimit: limit }),
  }
}

function dockedAt(world: World, slot: number): string | null {
  const { ships } = world.state
  if (!isDocked(ships, slot)) return null
  return stationOn(world, ships.plan[PLAN_DOUBLES * slot + PLAN.target]) ?? null
}

/** Id of the station on a row of the table of rails. */
function stationOn({ stations }: World, row: number): string | undefined {
  for (const station of stations.values()) if (station.row === row) return station.stationId
  return undefined
}

/** An event of a module with names; undefined when the ship has left the world since. */
export function moduleNotice(
  { roster, state }: World,
  { shipNumber, index, ...own }: ModuleEvent,
): ShipNotice | undefined {
  const entry = roster.byNumber.get(shipNumber)
  if (!entry) return undefined
  const body = state.system.bodies[state.ships.reference[entry.slot]].name
  return { shipId: entry.shipId, kind: 'module', index, body, own }
}

function angularVelocity(world: World, slot: number): Triple {
  const { attitude, angularMomentum, wheelMomentum } = world.state.ships
  const { inertia } = shipClassOf(world.state, slot)
  bodyRate(rate, attitude, angularMomentum, wheelMomentum, slot, inertia)
  return triple(rate)
}

const shown = new Float64Array(4)

/** Where the hull points at the moment that `relative` holds. */
function shownAttitude(
  world: World,
  slot: number,
  offset: number,
): [number, number, number, number] {
  segmentAttitude(shown, world, slot, relative, world.index, offset)
  return [shown[0], shown[1], shown[2], shown[3]]
}

function triple(v: Float64Array): Triple {
  return [v[0], v[1], v[2]]
}

function sum(a: Float64Array, b: Float64Array): Triple {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/** An event of a ship, with names. */
export interface ShipNotice {
  readonly shipId: string
  /**
   * `jumped`: through a gate; `transferred`: by an operator; `altered`: by an operator, or at a
   * dock; `returned`: from a hand-off that could not arrive; `rules_dropped`: rules that name what
   * is elsewhere; `module`: one of a module's own
   */
  readonly kind:
    | EventKind
    | 'jumped'
    | 'transferred'
    | 'altered'
    | 'returned'
    | 'rules_dropped'
    | 'module'
  /** lattice index */
  readonly index: number
  /** the body it ran into, or the one it was near */
  readonly body: string
  /** of a jump or transfer: ids of the systems */
  readonly systems?: { readonly from: string; readonly to: string }
  /** that has fired */
  readonly rule?: { readonly ruleId: string; readonly name: string }
  /** of the station that it docks at, or leaves */
  readonly stationId?: string
  /** what it meant for the maneuver that was under way */
  readonly maneuver?: ManeuverNote
  readonly own?: Pick<ModuleEvent, 'module' | 'name' | 'data' | 'text'>
}

/** An event of the core with names; undefined when the ship has left the world since. */
export function shipNotice(
  world: World,
  { shipNumber, kind, index, body, rail }: ShipEvent,
  maneuver?: ManeuverNote,
): ShipNotice | undefined {
  const entry = world.roster.byNumber.get(shipNumber)
  if (!entry) return undefined
  const stationId = rail === undefined ? undefined : stationOn(world, rail)
  return {
    shipId: entry.shipId,
    kind,
    index,
    body: world.state.system.bodies[body].name,
    ...(stationId !== undefined && { stationId }),
    ...(maneuver && { maneuver }),
  }
}
