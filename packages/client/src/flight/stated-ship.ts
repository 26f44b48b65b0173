import type { OrbitState, OwnShipState, RailedObject } from '@orrery/protocol'
import {
  ACTIVITIES,
  DOCKED,
  FREE,
  HULL_POINTINGS,
  IDLE,
  LOCKED,
  PHASES,
  PLAN,
  PLAN_DOUBLES,
  TARGETS,
  conicOf,
  createConic,
  createStateVector,
  isDocked,
  meanAxis,
  meanState,
  segmentFraction,
  segmentFuel,
  shipClassOf,
  stateOf,
} from '@orrery/sim'
import type { ShipStage } from '../pilot/ship-stage.ts'

export type LastManeuver = NonNullable<OwnShipState['last_maneuver']>

/** What a ship does, and the orbit that it keeps: a part of what the server states of one. */
export interface StatedShip extends Pick<
  OwnShipState,
  | 'reference_body'
  | 'fuel'
  | 'fuel_capacity'
  | 'steering'
  | 'maneuver'
  | 'last_maneuver'
  | 'docked_at'
> {
  readonly mean_orbit: Pick<
    OrbitState,
    'semi_major_axis' | 'eccentricity' | 'apoapsis_altitude' | 'periapsis_altitude'
  >
}

interface Known {
  readonly last: LastManeuver | undefined
  /** Unix milliseconds of a lattice index */
  readonly utc: (time: number) => number
}

const BODY = TARGETS.indexOf('body')
const RAIL = TARGETS.indexOf('rail')

const state = createStateVector()
const conic = createConic()

/** States a ship where it has been flown to. */
export function statedShip(
  flown: ShipStage,
  objects: readonly RailedObject[],
  { last, utc }: Known,
): StatedShip {
  const { slot, stage } = flown
  const { ships, system } = stage.state
  const body = system.bodies[ships.reference[slot]]
  const dock = ships.plan[PLAN_DOUBLES * slot + PLAN.target]
  const isAtDock = isDocked(ships, slot)
  const station = objects.find(({ row }) => isAtDock && row === dock)?.id
  return {
    reference_body: body.name,
    fuel: fuelOf(flown),
    fuel_capacity: shipClassOf(stage.state, slot).fuelCapacity,
    steering: steering(flown, objects),
    maneuver: maneuver(flown, objects, utc),
    last_maneuver: last ?? null,
    docked_at: station ?? null,
    mean_orbit: meanOrbit(flown),
  }
}

/** An ISO time of Unix milliseconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString()
}

function meanOrbit({ index, slot, stage }: ShipStage): StatedShip['mean_orbit'] {
  const body = stage.state.system.bodies[stage.state.ships.reference[slot]]
  stateOf(state, stage, slot, index)
  meanState(state, state, body)
  conicOf(conic, state, body.gm)
  const axis = meanAxis(conic, body)
  return {
    semi_major_axis: axis,
    eccentricity: conic.e,
    apoapsis_altitude: conic.e < 1 ? axis * (1 + conic.e) - body.radius : null,
    periapsis_altitude: axis * (1 - conic.e) - body.radius,
  }
}

function fuelOf({ index, slot, stage: { state } }: ShipStage): number {
  return segmentFuel(state.ships, slot, segmentFraction(state.ships, slot, index, 0))
}

function steering(flown: ShipStage, objects: readonly RailedObject[]): StatedShip['steering'] {
  const { slot, stage } = flown
  const { aim, aimKind, attitudeMode, fuelFloor, pointing, wheelsKept } = stage.state.ships
  const ship = shipClassOf(stage.state, slot)
  const name = HULL_POINTINGS[pointing[slot]]
  const mode = attitudeMode[slot]
  const floor = fuelFloor[slot]
  const fuel = fuelOf(flown)
  const ratio = (ship.dryMass + fuel) / (ship.dryMass + floor)
  return {
    pointing: name,
    mode: mode === LOCKED ? 'locked' : mode === FREE ? 'free' : 'turning',
    ...(name === 'target' &&
      targetOf(stage.state.system.bodies, objects, aimKind[slot], aim[slot])),
    wheel_unloading: wheelsKept[slot] === 0,
    burn_delta_v: floor > 0 && fuel > floor ? ship.exhaustVelocity * Math.log(ratio) : null,
  }
}

type Aim = Pick<StatedShip['steering'], 'target_body' | 'target_station_id' | 'target_jumpgate_id'>

function targetOf(
  bodies: readonly { readonly name: string }[],
  objects: readonly RailedObject[],
  kind: number,
  at: number,
): Aim {
  if (kind === BODY) return { target_body: bodies[at].name }
  const object = kind === RAIL ? objects.find(({ row }) => row === at) : undefined
  if (!object) return {}
  return object.kind === 'station'
    ? { target_station_id: object.id }
    : { target_jumpgate_id: object.id }
}

/** Null when none is under way. */
function maneuver(
  { slot, stage }: ShipStage,
  objects: readonly RailedObject[],
  utc: Known['utc'],
): StatedShip['maneuver'] {
  const { ships, system } = stage.state
  const activity = ships.activity[slot]
  if (activity === IDLE || activity === DOCKED) return null
  const row = ships.plan.subarray(PLAN_DOUBLES * slot, PLAN_DOUBLES * (slot + 1))
  const known = (place: number): number | null => (row[place] >= 0 ? row[place] : null)
  const aim = targetOf(system.bodies, objects, row[PLAN.targetKind], row[PLAN.target])
  const phase = PHASES[row[PLAN.phase]]
  return {
    maneuver: ACTIVITIES[activity],
    phase,
    status_text: `The autopilot is ${phase}`,
    since: timestamp(utc(row[PLAN.since])),
    target_id: aim.target_station_id ?? aim.target_jumpgate_id ?? null,
    target_body: aim.target_body ?? null,
    element_errors: null,
    distance: known(PLAN.distance),
    effectivity: known(PLAN.effectivity),
    delta_v: row[PLAN.spent],
    // Its forecast shows these.
    next_burn_at: null,
    expected_end: null,
    expected_delta_v: null,
  }
}
