import { PHYSICS, type ShipClass, destroyShip, loadShip } from '@orrery/sim'
import { debugManeuvers } from '../maneuvers/maneuver-log.ts'
import { type FailManeuver, failManeuver } from '../maneuvers/foreseen-failure.ts'
import type { ManeuverLevel } from '../world/maneuver.ts'
import type { Rule, SameRule } from '../orders/rule.ts'
import { setRules } from '../rules/rule-lists.ts'
import { type AlterShip, alterShip, setFuel } from '../objects/altered-ship.ts'
import { addShipBeside } from '../objects/beside.ts'
import { addShip, removeShip } from '../objects/fleet.ts'
import { type ShipPlace, addShipAt } from '../objects/placed-ship.ts'
import type { AccountHandOff, AnyHandOff, HandOff } from '../world/hand-off.ts'
import type { GateWay } from '../objects/jump.ts'
import { layModuleRails } from '../objects/module-rails.ts'
import { type DepartAccount, arriveAccount, departAccount } from '../objects/passed-account.ts'
import { arriveShip, departShip } from '../objects/transit.ts'
import { type CreateJumpgate, addJumpgate, removeJumpgate } from '../objects/jumpgates.ts'
import { enterRoster, shipEntry } from '../world/roster.ts'
import { type CreateStation, addStation, removeStation } from '../objects/stations.ts'
import type { World } from '../world/world.ts'
import { EngineError } from '../engine-error.ts'
import { requireTaking } from '../world/intake.ts'
import { addShipClass } from '../world/ship-classes.ts'
import { type ModuleCommand, requireModules } from '../world/world-modules.ts'

type AnyCommand =
  | {
      readonly kind: 'create_ship'
      readonly shipId: string
      readonly name: string
      /** name of its class; the world's first when left out */
      readonly shipClass?: string
      /** id of the ship it begins behind */
      readonly beside?: string
      /** where it begins else; on its spawn orbit when both are left out */
      readonly place?: ShipPlace
    }
  | { readonly kind: 'add_ship_class'; readonly shipClass: ShipClass }
  | { readonly kind: 'remove_ship'; readonly shipId: string }
  | { readonly kind: 'rename_ship'; readonly shipId: string; readonly name: string }
  | AlterShip
  | FailManeuver
  | CreateStation
  | { readonly kind: 'remove_station'; readonly stationId: string }
  | CreateJumpgate
  | { readonly kind: 'remove_jumpgate'; readonly jumpgateId: string }
  | {
      readonly kind: 'set_rules'
      readonly shipId: string
      readonly rules: readonly (Rule | SameRule)[]
    }
  | { readonly kind: 'maneuver_logging'; readonly level: ManeuverLevel }
  | { readonly kind: 'maneuver_debug'; readonly shipId: string; readonly enabled: boolean }
  | ModuleCommand
  /** to all that lack it, or have an older version, which it takes over from */
  | { readonly kind: 'add_module'; readonly module: string; readonly version: number }
  | {
      readonly kind: 'stop_module'
      readonly module: string
      readonly reason: string
      /** all that have it when left out */
      readonly systemId?: string
    }
  /** to all that an older physics made: what follows is this one's */
  | { readonly kind: 'begin_physics'; readonly physics: number }
  /** goes on with what it keeps, from the next full second on */
  | { readonly kind: 'start_module'; readonly module: string; readonly systemId?: string }

/**
 * A structural command, as data: it acts between ticks, at the published index, after everything
 * there, also while the worlds are paused. A new object has its id from outside, so that the same
 * commands always make the same worlds.
 */
export type WorldCommand =
  | AnyCommand
  | { readonly kind: 'transfer_ship'; readonly shipId: string; readonly systemId: string }
  | { readonly kind: 'jump_ship'; readonly shipId: string; readonly jumpgateId: string }
  /** what modules keep of an account goes from one of its ships to another */
  | ({ readonly kind: 'pass_account' } & Pick<DepartAccount, 'shipId' | 'taker' | 'passId'>)
  | RuleChange

/** A change of one of a ship's rules; its system gets `set_rules`. */
export type RuleChange =
  | { readonly kind: 'create_rule'; readonly shipId: string; readonly rule: Rule }
  | { readonly kind: 'change_rule'; readonly shipId: string; readonly rule: Rule }
  | { readonly kind: 'remove_rule'; readonly shipId: string; readonly ruleId: string }

/** A structural command to one star system: all that its world and its journal know of. */
export type SystemCommand =
  | AnyCommand
  | {
      readonly kind: 'depart_ship'
      readonly shipId: string
      readonly to: string
      readonly through?: GateWay
    }
  | { readonly kind: 'arrive_ship'; readonly handOff: HandOff }
  | AccountCommand

type AccountCommand =
  | DepartAccount
  | { readonly kind: 'arrive_account'; readonly handOff: AccountHandOff }

/**
 * Executes a command between ticks; a refused one has changed nothing. Returns the hand-off of a
 * ship or an account that departs or arrives.
 *
 * @throws {EngineError} with the codes of the function that does it
 */
export function applyCommand(
  world: World,
  command: Exclude<SystemCommand, AccountCommand>,
): HandOff | undefined
export function applyCommand(world: World, command: SystemCommand): AnyHandOff | undefined
export function applyCommand(world: World, command: SystemCommand): AnyHandOff | undefined {
  requireTaking(world.intake)
  const handOff = changeWorld(world, command)
  world.intake.sequence++
  return handOff
}

function changeWorld(world: World, command: SystemCommand): AnyHandOff | undefined {
  switch (command.kind) {
    case 'create_ship':
      createShip(world, command)
      break
    case 'add_ship_class':
      addShipClass(world, command.shipClass)
      break
    case 'remove_ship':
      removeShip(world, shipEntry(world, command.shipId), 'The ship has left the world')
      break
    case 'rename_ship':
      enterRoster(world.roster, { ...shipEntry(world, command.shipId), name: command.name })
      break
    case 'alter_ship':
      alterShip(world, shipEntry(world, command.shipId), command)
      break
    case 'fail_maneuver':
      failManeuver(world, shipEntry(world, command.shipId), command)
      break
    case 'depart_ship':
      return departShip(world, shipEntry(world, command.shipId), command.to, command.through)
    case 'arrive_ship':
      arriveShip(world, command.handOff)
      return command.handOff
    case 'depart_account':
      return departAccount(world, shipEntry(world, command.shipId), command)
    case 'arrive_account':
      arriveAccount(world, command.handOff)
      return command.handOff
    case 'create_station':
      addStation(world, command)
      break
    case 'remove_station':
      removeStation(world, command.stationId)
      break
    case 'create_jumpgate':
      addJumpgate(world, command)
      break
    case 'remove_jumpgate':
      removeJumpgate(world, command.jumpgateId)
      break
    case 'set_rules':
      setRules(world, shipEntry(world, command.shipId), command.rules)
      break
    case 'module_command':
    case 'add_module':
    case 'start_module':
    case 'stop_module':
      changeModules(world, command)
      break
    case 'begin_physics':
      beginPhysics(world, command.physics)
      break
    case 'maneuver_logging':
      world.maneuvers.level = command.level
      break
    case 'maneuver_debug':
      debugManeuvers(world, command)
      break
  }
  return undefined
}

function beginPhysics(world: World, physics: number): void {
  if (physics !== PHYSICS) {
    const message = `What follows is made by physics ${physics}, and this program has ${PHYSICS}.`
    throw new EngineError('ERR_PHYSICS', message)
  }
  world.physicsBefore = undefined
}

function createShip(world: World, command: Extract<AnyCommand, { kind: 'create_ship' }>): void {
  const { beside, place, shipId, name, shipClass } = command
  if (beside !== undefined) addShipBeside(world, command, shipEntry(world, beside))
  else if (place) addShipAt(world, command, place)
  else addShip(world, shipId, name, shipClass)
}

function changeModules(
  world: World,
  command: Extract<AnyCommand, { kind: `${string}_module` | 'module_command' }>,
): void {
  const { index } = world
  const modules = requireModules(world, command.module)
  if (command.kind === 'module_command') {
    const ship = shipEntry(world, command.shipId)
    const { fuel, isDestroyed, load } = modules.command(ship, command, index)
    if (fuel !== undefined) setFuel(world, ship.slot, fuel)
    if (load) loadShip(world.flight, ship.slot, index, load)
    if (isDestroyed) destroyShip(world.flight, ship.slot, index)
  } else if (command.kind === 'stop_module') {
    modules.stop({ module: command.module, reason: command.reason, index })
  } else if (command.kind === 'start_module') modules.start(command.module)
  else {
    const loaded = modules.add({ id: command.module, version: command.version }, index)
    layModuleRails(world)
    for (const [slot, load] of loaded) loadShip(world.flight, slot, index, load)
  }
}
