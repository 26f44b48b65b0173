import {
  COURIER,
  FLYING,
  POINTINGS,
  SimError,
  TURNING,
  cutShip,
  loadEndedHull,
  loadHull,
  shipClassOf,
} from '@orrery/sim'
import { enterShip, placeAtHome, removeShip } from './fleet.ts'
import type { DepartedShip, HandOff, Triple } from '../world/hand-off.ts'
import { logPassage } from '../maneuvers/ship-happenings.ts'
import { type GateWay, exitMotion, passage, requireAtGate } from './jump.ts'
import { namedBody } from '../world/named-body.ts'
import { setArrivedRules } from '../rules/arrived-rules.ts'
import { rulesNow } from '../rules/rule-view.ts'
import type { RosterEntry } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/**
 * Takes a ship out of its world, whole, at the published index.
 *
 * @param through  the gates of a ship that jumps
 * @throws {EngineError} 'ERR_JUMPGATE_UNKNOWN', 'ERR_JUMP'
 */
export function departShip(
  world: World,
  entry: RosterEntry,
  to: string,
  through?: GateWay,
): HandOff {
  const { maneuvers, state, index } = world
  if (through) requireAtGate(world, entry, through.entry)
  const ship = shipStateAt(world, entry.slot)
  const rules = rulesNow(world, entry)
  const modules = world.modules?.cargoOf(entry.slot)
  const departure: HandOff = {
    shipId: entry.shipId,
    name: entry.name,
    from: state.system.id,
    to,
    index,
    debugged: maneuvers.debugged.has(entry.number),
    ship,
    ...(through && { passage: passage(world, through, ship) }),
    ...(rules.length > 0 && { rules }),
    ...(modules && { modules }),
  }
  removeShip(
    world,
    entry,
    `The ship has ${through ? 'jumped' : 'been moved'} to another system`,
    departure,
  )
  world.departed.set(entry.shipId, departure)
  return departure
}

/**
 * Takes a ship from another world in, engine off, with the fuel it has: on its spawn orbit, hull at
 * rest, or beside a gate. There, and where it comes back to, its hull is braked.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_SHIP_CLASS', 'ERR_WORLD_FULL',
 *   'ERR_JUMPGATE_UNKNOWN', 'ERR_MODULE'
 * @throws {SimError} 'ERR_SHIP_STATE' when a body is at the gate
 */
export function arriveShip(world: World, arrival: HandOff): void {
  const isBack = arrival.from === world.state.system.id
  const cargo = arrival.modules && world.modules?.cargoFor(arrival.modules)
  const entry = isBack ? comeBack(world, arrival) : enter(world, arrival)
  logPassage(world, entry, 'arrived', arrival)
  if (arrival.debugged) world.maneuvers.debugged.add(entry.number)
  world.departed.delete(arrival.shipId)
  if (cargo) world.modules?.bring(entry.slot, cargo)
  if (!isBack) world.modules?.arrived(entry, arrival.from, arrival.passage !== undefined)
  if (arrival.rules) setArrivedRules(world, entry, arrival.rules, isBack)
}

function enter(world: World, arrival: HandOff): RosterEntry {
  const { ship, passage: through } = arrival
  if (!through) return enterAtHome(world, arrival)
  const arrived = { ...ship, positionLow: ZERO, velocityLow: ZERO, ...exitMotion(world, through) }
  return enterShip(world, newShip(arrival), (slot) => placeAt(world, slot, arrived))
}

const ZERO: Triple = [0, 0, 0]

function newShip({ shipId, name, ship }: HandOff): Parameters<typeof enterShip>[1] {
  return { shipId, name, shipClass: ship.shipClass ?? COURIER.name }
}

function enterAtHome(world: World, arrival: HandOff): RosterEntry {
  const { ship } = arrival
  return enterShip(world, newShip(arrival), (slot) => {
    placeAtHome(world, slot, ship.fuel)
    world.state.ships.wheelsKept[slot] = ship.wheelsKept ? 1 : 0
  })
}

function comeBack(world: World, arrival: HandOff): RosterEntry {
  const { ship } = arrival
  try {
    return enterShip(world, newShip(arrival), (slot) => placeAt(world, slot, ship))
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    // A moon may be there by now.
    return enterAtHome(world, arrival)
  }
}

/** The state of a ship at the published index, where its step is cut. */
export function shipStateAt({ flight, state, index }: World, slot: number): DepartedShip {
  const { ships, system } = state
  const { hulls } = flight.stepper
  const isUnderWay = ships.condition[slot] === FLYING && ships.stepStart[slot] < index
  if (isUnderWay) {
    cutShip(flight, slot, index)
    loadEndedHull(hulls, ships, slot)
  } else loadHull(hulls, ships, slot)
  const [w, x, y, z] = hulls.attitude
  const { name: shipClass } = shipClassOf(state, slot)
  return {
    referenceBody: system.bodies[ships.reference[slot]].name,
    position: tripleOf(isUnderWay ? ships.endPosition : ships.position, slot),
    positionLow: tripleOf(isUnderWay ? ships.endPositionLow : ships.positionLow, slot),
    velocity: tripleOf(isUnderWay ? ships.endVelocity : ships.velocity, slot),
    velocityLow: tripleOf(isUnderWay ? ships.endVelocityLow : ships.velocityLow, slot),
    attitude: [w + 0, x + 0, y + 0, z + 0],
    angularMomentum: tripleOf(hulls.angularMomentum, 0),
    wheelMomentum: tripleOf(hulls.wheelMomentum, 0),
    fuel: hulls.fuel[0],
    ...(ships.wheelsKept[slot] === 1 && { wheelsKept: true as const }),
    ...(shipClass !== COURIER.name && { shipClass }),
  }
}

/** JSON knows no negative zero. */
function tripleOf(column: ArrayLike<number>, row: number): Triple {
  return [column[3 * row] + 0, column[3 * row + 1] + 0, column[3 * row + 2] + 0]
}

/** Writes the start columns of a ship that departed. */
export function placeAt(world: World, slot: number, ship: DepartedShip): void {
  const { ships } = world.state
  ships.reference[slot] = namedBody(world, ship.referenceBody)
  ships.position.set(ship.position, 3 * slot)
  ships.positionLow.set(ship.positionLow, 3 * slot)
  ships.velocity.set(ship.velocity, 3 * slot)
  ships.velocityLow.set(ship.velocityLow, 3 * slot)
  ships.attitude.set(ship.attitude, 4 * slot)
  ships.angularMomentum.set(ship.angularMomentum, 3 * slot)
  ships.wheelMomentum.set(ship.wheelMomentum, 3 * slot)
  ships.fuel[slot] = ship.fuel
  ships.wheelsKept[slot] = ship.wheelsKept ? 1 : 0
  ships.pointing[slot] = POINTINGS.indexOf('rest')
  ships.attitudeMode[slot] = TURNING
}
