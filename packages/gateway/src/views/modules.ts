import { type Universe, requireShip } from '@orrery/engine'
import type { Influence } from '@orrery/engine/modules'
import { NamedSchemas } from '@orrery/http'
import type { ModuleStateResponse, ModulesResponse, api } from '@orrery/protocol'
import { timestamp } from './wire-views.ts'

/** Without names: each command has the whole of its own. */
const SCHEMAS = new NamedSchemas({})

/** The modules of a universe. */
export function modulesResponse({ worlds }: Universe): ModulesResponse {
  const [{ modules: first }] = worlds
  return {
    modules: (first?.added ?? []).map(({ id, version, commands, panel }) => ({
      module: id,
      version,
      commands: commands.map(({ body, may, name, perMinute, summary }) => ({
        command: name,
        summary,
        values: SCHEMAS.inline(body, 'input'),
        may,
        ...(perMinute !== undefined && { per_minute: perMinute }),
      })),
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

/** What each module costs in each star system. */
export function moduleCosts({ worlds }: Universe): api.ModuleCostsResponse {
  const entries = worlds.flatMap(({ modules, state }) => {
    const costs = modules?.costs ?? []
    return (modules?.added ?? []).map(({ id: module, version, stopped }, i) => {
      const { bytes, calls, seconds, worst, breaks, tables } = costs[i]
      return {
        module,
        version,
        system_id: state.system.id,
        bytes,
        calls,
        mean_seconds: calls > 0 ? seconds / calls : 0,
        worst_seconds: worst,
        breaks,
        stopped: stopped ? { game_time: timestamp(stopped.index), reason: stopped.reason } : null,
        tables: tables.map(({ name, rows, rowsMax }) => ({ table: name, rows, rows_max: rowsMax })),
      }
    })
  })
  return { modules: entries.toSorted((a, b) => a.module.localeCompare(b.module)) }
}

/** What operators see of a ship. @throws {EngineError} as {@link moduleState} */
export function shipModules(universe: Universe, shipId: string): api.ShipModulesResponse {
  const { entry, world } = requireShip(universe, shipId)
  return { ship_id: shipId, ship_values: world.modules?.shipValues(entry.slot, 'operator') ?? {} }
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
    modules_left_out: actingNow(modules?.influences(entry.slot) ?? []),
  }
}

/** Modules that wait for nothing that happens to the ship. */
function actingNow(influences: readonly Influence[]): readonly string[] {
  const acting = influences.filter(({ byPilot, on }) => !byPilot && !on)
  return [...new Set(acting.map(({ module }) => module))].toSorted()
}
