import { type Control, type PendingControl, acceptControl, requireRoomToWatch } from './intake.ts'
import { type CreateJumpgate, addJumpgate, removeJumpgate } from '../world/jumpgates.ts'
import { debugManeuvers } from '../maneuvers/maneuver-log.ts'
import type { ManeuverLevel } from '../maneuvers/maneuver.ts'
import { enterRoster, shipEntry } from '../world/roster.ts'
import { type CreateStation, addStation, removeStation } from '../world/stations.ts'
import type { World } from '../world/world.ts'
import { addShip, removeShip, transferShip } from '../world/fleet.ts'

/**
 * A structural command, as data: it acts between ticks, at the published index, after everything
 * there, also while the world is paused. A new object has its id from outside, so that the same
 * commands always make the same world.
 */
export type WorldCommand =
  | { readonly kind: 'create_ship'; readonly shipId: string; readonly name: string }
  | { readonly kind: 'remove_ship'; readonly shipId: string }
  | { readonly kind: 'rename_ship'; readonly shipId: string; readonly name: string }
  | { readonly kind: 'transfer_ship'; readonly shipId: string; readonly systemId: string }
  | CreateStation
  | { readonly kind: 'remove_station'; readonly stationId: string }
  | CreateJumpgate
  | { readonly kind: 'remove_jumpgate'; readonly jumpgateId: string }
  | { readonly kind: 'maneuver_logging'; readonly level: ManeuverLevel }
  | { readonly kind: 'maneuver_debug'; readonly shipId: string; readonly enabled: boolean }

/**
 * Executes a command between ticks; a refused one has changed nothing.
 *
 * @throws {EngineError} with the codes of the function that does it
 */
export function applyCommand(world: World, command: WorldCommand): void {
  switch (command.kind) {
    case 'create_ship':
      addShip(world, command.shipId, command.name)
      break
    case 'remove_ship':
      removeShip(world, shipEntry(world, command.shipId))
      break
    case 'rename_ship':
      enterRoster(world.roster, { ...shipEntry(world, command.shipId), name: command.name })
      break
    case 'transfer_ship':
      transferShip(world, shipEntry(world, command.shipId), command.systemId)
      break
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
    case 'maneuver_logging':
      world.maneuvers.level = command.level
      break
    case 'maneuver_debug':
      debugManeuvers(world, command)
      break
  }
  world.intake.sequence++
}

/**
 * Queues a control command for the control boundary after the index its pilot was shown.
 *
 * @param shown  lattice index, need not be whole
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_CONTROL', 'ERR_COMMANDS_PENDING',
 *   'ERR_WATCHERS'
 */
export function steerShip(
  world: World,
  shipId: string,
  control: Control,
  shown: number,
): PendingControl {
  const { intake, roster, state, settled } = world
  if (control.target !== undefined) requireRoomToWatch(intake, roster, state)
  return acceptControl(intake, shipEntry(world, shipId), control, shown, settled)
}
