import {
  FROZEN,
  PLAN,
  PLAN_DOUBLES,
  type ShipClass,
  SimError,
  TARGETS,
  changeShip,
  dockShip,
  isDocked,
  segmentFraction,
  segmentFuel,
  shipClassOf,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { logPassage } from '../maneuvers/ship-happenings.ts'
import { setArrivedRules } from '../rules/arrived-rules.ts'
import { rulesNow } from '../rules/rule-view.ts'
import type { Triple } from '../world/hand-off.ts'
import { type RosterEntry, enterRoster } from '../world/roster.ts'
import { classRow } from '../world/ship-classes.ts'
import type { World } from '../world/world.ts'
import { enterShip, placeAtHome, removeShip } from './fleet.ts'
import { type ShipPlace, placing, withRoom } from './placed-ship.ts'
import { placeAt, shipStateAt } from './transit.ts'

/** Changes a ship from outside; what is left out stays as it is. */
export interface AlterShip {
  readonly kind: 'alter_ship'
  readonly shipId: string
  /** name of its class */
  readonly shipClass?: string
  /** [kg]; by default what it has, as far as the tank of a new class holds it */
  readonly fuel?: number
  readonly place?: ShipPlace
  /** refused in flight */
  readonly onlyDocked?: true
}

/**
 * Changes a ship at the published index. With another class or place it gets a new number, its
 * maneuver ends and its hull is at rest; its rules and what modules keep stay, and so does its dock
 * where it is not put elsewhere.
 *
 * @throws {EngineError} 'ERR_NOT_DOCKED', 'ERR_SHIP_CLASS', 'ERR_FUEL', 'ERR_BODY_UNKNOWN',
 *   'ERR_ALTITUDE', 'ERR_STATION_UNKNOWN', 'ERR_SHIP_FROZEN' of one that stays where it is,
 *   'ERR_BESIDE' when there is a body at the place, 'ERR_WORLD_FULL'
 */
export function alterShip(world: World, entry: RosterEntry, alteration: AlterShip): void {
  const { state } = world
  const { onlyDocked, place, shipClass } = alteration
  const station = dockOf(state, entry.slot)
  if (onlyDocked && station < 0) {
    throw new EngineError('ERR_NOT_DOCKED', `${entry.name} is not docked.`)
  }
  const ship = shipClass === undefined ? undefined : state.classes[classRow(state, shipClass)]
  const fuel = fuelAfter(world, entry, ship, alteration.fuel)
  if (!place && state.ships.condition[entry.slot] === FROZEN) {
    throw new EngineError('ERR_SHIP_FROZEN', `${entry.name} has been stopped for good.`)
  }
  if (!place && !ship) return setFuel(world, entry.slot, fuel)
  const name = ship?.name ?? shipClassOf(state, entry.slot).name
  const altered = { shipId: entry.shipId, name: entry.name, shipClass: name }
  const next = place
    ? enterAt(world, entry, altered, placing(world, place), fuel)
    : enterWhereItIs(world, entry, altered, fuel)
  replace(world, entry, next)
  if (!place && station >= 0) moor(world, next.slot, station)
}

/** Row of the rail that a ship is docked at; -1 in flight. */
function dockOf({ ships }: World['state'], slot: number): number {
  return isDocked(ships, slot) ? ships.plan[PLAN_DOUBLES * slot + PLAN.target] : -1
}

function moor({ flight, index, state }: World, slot: number, rail: number): void {
  changeShip(flight, slot, index, () => {
    const { plan } = state.ships
    plan[PLAN_DOUBLES * slot + PLAN.targetKind] = TARGETS.indexOf('rail')
    plan[PLAN_DOUBLES * slot + PLAN.target] = rail
    dockShip(state, slot, index)
  })
}

/** Fuel that a ship is to have [kg]. @throws {EngineError} 'ERR_FUEL' */
function fuelAfter(
  { index, state }: World,
  { name, slot }: RosterEntry,
  shipClass: ShipClass | undefined,
  wanted: number | undefined,
): number {
  const { ships } = state
  const { fuelCapacity } = shipClass ?? shipClassOf(state, slot)
  if (wanted === undefined) {
    const isStill = ships.condition[slot] === FROZEN
    const passed = isStill ? 0 : segmentFraction(ships, slot, index, 0)
    return Math.min(fuelCapacity, segmentFuel(ships, slot, passed))
  }
  // NaN is in no range.
  if (wanted >= 0 && wanted <= fuelCapacity) return wanted
  throw new EngineError('ERR_FUEL', `The tank of ${name} holds 0 to ${fuelCapacity} kg of fuel.`)
}

/** Gives a ship so much fuel at the published index [kg]. */
export function setFuel({ flight, index, state }: World, slot: number, fuel: number): void {
  const { ships } = state
  changeShip(flight, slot, index, () => {
    ships.fuel[slot] = fuel
    if (isDocked(ships, slot)) dockShip(state, slot, index)
  })
}

const REST: Triple = [0, 0, 0]

type Altered = Parameters<typeof enterShip>[1]

function enterWhereItIs(
  world: World,
  entry: RosterEntry,
  altered: Altered,
  fuel: number,
): RosterEntry {
  const before = shipStateAt(world, entry.slot)
  const still = { ...before, angularMomentum: REST, wheelMomentum: REST, fuel }
  try {
    return enterShip(world, altered, (slot) => placeAt(world, slot, still), entry)
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    // Its step is cut: it cannot stay as it was.
    return enterShip(world, altered, (slot) => placeAtHome(world, slot, fuel), entry)
  }
}

function enterAt(
  world: World,
  entry: RosterEntry,
  altered: Altered,
  put: (slot: number) => void,
  fuel: number,
): RosterEntry {
  const { wheelsKept } = world.state.ships
  const place = (slot: number): void => {
    placeAtHome(world, slot, fuel)
    put(slot)
    wheelsKept[slot] = wheelsKept[entry.slot]
  }
  return withRoom(() => enterShip(world, altered, place, entry))
}

/** Lets the first ship go, whose id, rules and goods the second has. */
function replace(world: World, entry: RosterEntry, next: RosterEntry): void {
  const { maneuvers, modules, roster, state } = world
  const way = { from: state.system.id, to: state.system.id }
  const rules = rulesNow(world, entry)
  const isDebugged = maneuvers.debugged.has(entry.number)
  // With references to rows, which are of this star system.
  modules?.move(entry.slot, next.slot)
  removeShip(world, entry, 'The ship has been changed from outside', way)
  enterRoster(roster, next)
  logPassage(world, next, 'arrived', way)
  if (isDebugged) maneuvers.debugged.add(next.number)
  setArrivedRules(world, next, rules, true)
}
