import { EngineError } from '../engine-error.ts'
import { type Universe, requireShip } from '../world/universe.ts'
import type { World } from '../world/world.ts'
import type { ModuleCommand, ModuleFault } from '../world/world-modules.ts'
import type { CommandRow, KeptCommand } from './command-row.ts'
import type { WorldCommand } from './world-command.ts'

interface Executing {
  readonly universe: Universe
  execute(command: WorldCommand): Promise<number>
}

/** Resolves as a command of a module does; one that broke in it is stopped in that star system. */
export async function stoppingBroken(
  engine: Executing,
  { module, shipId }: ModuleCommand,
  acted: Promise<number>,
): Promise<number> {
  try {
    return await acted
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'ERR_MODULE_FAULT')) throw error
    const reason = error.message
    const systemId = requireShip(engine.universe, shipId).world.state.system.id
    await engine.execute({ kind: 'stop_module', module, reason, systemId })
    throw error
  }
}

/** The row of a module that was stopped at a beat of the tick that has just run. */
export function faultRow({ intake, state }: World, { index, ...fault }: ModuleFault): CommandRow {
  const sequence = ++intake.sequence
  const seal = (): KeptCommand => ({ kind: 'module_fault', ...fault })
  return { systemId: state.system.id, sequence, index, actor: null, seal }
}
