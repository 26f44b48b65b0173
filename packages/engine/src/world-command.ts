import { type World, addShip, removeShip, shipEntry } from './world.ts'

/**
 * A structural command, as data: it acts between ticks, at the published index, after everything
 * there, also while the world is paused. What is made anew has its id from outside, so that the
 * same commands always make the same world.
 */
export type WorldCommand =
  | { readonly kind: 'create_ship'; readonly shipId: string; readonly name: string }
  | { readonly kind: 'remove_ship'; readonly shipId: string }
  | { readonly kind: 'rename_ship'; readonly shipId: string; readonly name: string }

/**
 * Does what a command says to a world that no tick moves; a refused one has changed nothing.
 *
 * @throws {EngineError} 'ERR_SHIP_EXISTS', 'ERR_SHIP_UNKNOWN', 'ERR_WORLD_FULL'
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
      shipEntry(world, command.shipId).name = command.name
      break
  }
  world.intake.sequence++
}
