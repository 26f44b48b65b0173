import { type Universe, requireShip } from '@orrery/engine'
import type { ModuleStateResponse, ModulesResponse } from '@orrery/protocol'

/** The modules of a universe. */
export function modulesResponse({ worlds }: Universe): ModulesResponse {
  const [{ modules: first }] = worlds
  return {
    modules: (first?.added ?? []).map(({ id, version, commands, panel }) => ({
      module: id,
      version,
      commands: commands.map(({ name, summary }) => ({ command: name, summary })),
      ...(panel && { panel }),
      stopped: Object.fromEntries(
        worlds.flatMap(({ modules, state }) => {
          const stopped = modules?.added.find((one) => one.id === id)?.stopped
          return stopped ? [[state.system.id, stopped.reason]] : []
        }),
      ),
    })),
  }
}

/**
 * What a pilot sees of modules.
 *
 * @throws {EngineError} 'ERR_SHIP_UNKNOWN', 'ERR_IN_TRANSIT'
 */
export function moduleState(universe: Universe, shipId: string): ModuleStateResponse {
  const { entry, world } = requireShip(universe, shipId)
  const { modules } = world
  return {
    index: world.index,
    ship_values: modules?.shipValues(entry.slot, 'pilot') ?? {},
    tables: Object.fromEntries(
      (modules?.added ?? []).map(({ id, tables }) => [
        id,
        Object.fromEntries(
          tables.map((table) => [table, modules?.rowValues(id, table, 'pilot', world.index) ?? []]),
        ),
      ]),
    ),
  }
}
