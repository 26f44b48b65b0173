/** Other star systems beside the scripted one, which are busy in their own way. */
import { POINTINGS, QUANTA_PER_SECOND } from '@orrery/sim'
import { acceptControl } from '../../src/world/intake.ts'
import { applyCommand } from '../../src/commands/world-command.ts'
import { addShip } from '../../src/objects/fleet.ts'
import { type SystemSetup, type World, createWorld } from '../../src/world/world.ts'
import { type Kernels, SLOTS, START_INDEX } from './script.ts'

/** Ships of each system at the start; of two systems, commands make them a thousand. */
const SHIPS = 400

const COMMANDS = 500

/** The worlds of the other systems at the start. */
export function companyWorlds(
  systems: readonly SystemSetup[],
  kernels: Kernels | undefined,
): World[] {
  const setup = { index: START_INDEX, seed: 'company', shipsMax: SLOTS, ...kernels }
  const worlds = systems.map((system) => createWorld({ ...setup, system }))
  for (const world of worlds) {
    for (let i = 0; i < SHIPS; i++) addShip(world, `guest-${i}`, `Guest ${i}`)
  }
  return worlds
}

/** Gives the commands that come before a tick to `target`: they are spread over the whole span. */
export function commandCompany(worlds: readonly World[], target: number, seconds: number): void {
  const apart = (seconds * QUANTA_PER_SECOND) / COMMANDS
  const countTo = (index: number): number => Math.floor((index - START_INDEX) / apart)
  for (const [place, world] of worlds.entries()) {
    for (let i = countTo(world.index); i < countTo(target); i++) {
      if (i % worlds.length === place) commandOne(world, i, START_INDEX + i * apart)
    }
  }
}

/** Two of five commands create a ship; the others steer one, often to chase another. */
function commandOne(world: World, i: number, shown: number): void {
  const { intake, roster, settled } = world
  if (i % 5 < 2) {
    applyCommand(world, { kind: 'create_ship', shipId: `late-${i}`, name: `Late ${i}` })
    return
  }
  const number = (step: number): number => 1 + ((step * i) % roster.byNumber.size)
  const pointing = POINTINGS[i % POINTINGS.length]
  const control = {
    thrustLevel: (i % 11) / 10,
    pointing,
    ...(pointing === 'target' && { target: number(53) }),
  }
  acceptControl(intake, roster.byNumber.get(number(37))!, control, shown, settled)
}
