import * as v from 'valibot'
import { count, real } from '../numbers.ts'
import { type ModulePanel, modulePanel } from './module-panel.ts'

/** What a column of a module holds. */
export type ModuleValue = number | boolean | string | null

export type ModuleValues = Readonly<Record<string, ModuleValue>>

/** What names of modules, columns and commands must be. */
export const MODULE_NAME = 'must be a name of at most 32 characters'

export const moduleName: v.GenericSchema<string> = v.pipe(
  v.string(MODULE_NAME),
  v.minLength(1, MODULE_NAME),
  v.maxLength(32, MODULE_NAME),
)

const value = v.nullable(v.union([real, v.boolean(), v.string()]))
const record = v.record(v.string(), value)
/** A list is a record to the library. */
export const moduleValues: v.GenericSchema<ModuleValues> = {
  ...record,
  '~run': (dataset, config) => {
    const isList = Array.isArray(dataset.value)
    return record['~run'](isList ? { ...dataset, value: undefined } : dataset, config)
  },
}

/** A module as every client sees it. */
export interface ModuleEntry {
  readonly module: string
  readonly version: number
  /** star systems in which it has stopped, by id: why */
  readonly stopped: Readonly<Record<string, string>>
  readonly commands: readonly {
    readonly command: string
    readonly summary: string
    /** JSON schema of its values */
    readonly values: object
    readonly may: 'pilot' | 'operator'
    /** of one account, where the module bounds it */
    readonly per_minute?: number
  }[]
  /** a module without one is played by programs alone */
  readonly panel?: ModulePanel
}

/** 200 of `GET /api/modules`. */
export interface ModulesResponse {
  readonly modules: readonly ModuleEntry[]
}

export const modulesResponse: v.GenericSchema<ModulesResponse> = v.object({
  modules: v.array(
    v.object({
      module: v.string(),
      version: count,
      stopped: v.record(v.string(), v.string()),
      commands: v.array(
        v.object({
          command: v.string(),
          summary: v.string(),
          values: v.looseObject({}),
          may: v.picklist(['pilot', 'operator']),
          per_minute: v.exactOptional(count),
        }),
      ),
      panel: v.exactOptional(modulePanel),
    }),
  ),
})

/** 200 of `GET /api/player/modules`, and of a command. */
export interface ModuleStateResponse {
  /** lattice index, 64 to the second of game time, at which rows are where they are said to be */
  readonly index: number
  /** of one's own ship, by module */
  readonly ship_values: Readonly<Record<string, ModuleValues>>
  /** rows of its star system, by module and table, id 1 first; some with a place and velocity */
  readonly tables: Readonly<Record<string, Readonly<Record<string, readonly ModuleValues[]>>>>
  /** as predictions name them, as far as they wait for nothing that happens to the ship */
  readonly modules_left_out: readonly string[]
}

export const moduleStateResponse: v.GenericSchema<ModuleStateResponse> = v.object({
  index: count,
  ship_values: v.record(v.string(), moduleValues),
  tables: v.record(v.string(), v.record(v.string(), v.array(moduleValues))),
  modules_left_out: v.array(v.string()),
})

/** Body of `POST /api/player/modules/{module}`. */
export interface ModuleCommandRequest {
  readonly command: string
  readonly values?: ModuleValues
}

/** Body of `POST /api/admin/modules/{module}`. */
export interface ModuleSwitchRequest {
  readonly system_id: string
  readonly running: boolean
  /** that pilots read of one that is stopped */
  readonly reason?: string
}

const REASON = 'must be one line of at most 200 characters'

export const moduleSwitchRequest: v.GenericSchema<ModuleSwitchRequest> = v.object({
  system_id: v.string('system_id must be the id of a star system'),
  running: v.boolean('running must be true or false'),
  reason: v.exactOptional(
    v.pipe(
      v.string(REASON),
      v.minLength(1, REASON),
      v.maxLength(200, REASON),
      v.regex(/^\P{Cc}*$/u, REASON),
      v.check((text) => text.isWellFormed(), REASON),
    ),
  ),
})

/** Fields of a {@link ModuleCommandRequest}. */
export const moduleCommandEntries: {
  readonly command: v.GenericSchema<string>
  readonly values: v.ExactOptionalSchema<v.GenericSchema<ModuleValues>, undefined>
} = {
  command: moduleName,
  values: v.exactOptional(v.pipe(moduleValues, v.maxEntries(32))),
}

export const moduleCommandRequest: v.GenericSchema<ModuleCommandRequest> =
  v.object(moduleCommandEntries)
