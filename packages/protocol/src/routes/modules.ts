/** Rules of a game's own. */
import {
  type ModuleCommandRequest,
  type ModuleStateResponse,
  type ModuleSwitchRequest,
  type ModuleValues,
  type ModulesResponse,
  moduleStateResponse,
  moduleValues,
  modulesResponse,
} from '../bodies/modules.ts'
import type { ServiceModuleRequest } from '../bodies/service-commands.ts'
import * as v from 'valibot'
import { count, real } from '../numbers.ts'
import type { Route } from './route.ts'

export const listModules: Route<ModulesResponse> = {
  request: 'GET /api/modules',
  access: 'anybody',
  status: 200,
  answer: modulesResponse,
}

export const readModules: Route<ModuleStateResponse> = {
  request: 'GET /api/player/modules',
  access: 'player',
  status: 200,
  answer: moduleStateResponse,
}

export const commandModule: Route<
  ModuleStateResponse,
  { path: 'module'; body: ModuleCommandRequest }
> = {
  request: 'POST /api/player/modules/:module',
  access: 'player',
  status: 200,
  answer: moduleStateResponse,
}

/** 200 of `POST /api/admin/modules/{module}`. */
export interface SwitchedModuleResponse {
  readonly success: true
  readonly module: string
  readonly system_id: string
  readonly running: boolean
}

export const switchModule: Route<
  SwitchedModuleResponse,
  { path: 'module'; body: ModuleSwitchRequest }
> = {
  request: 'POST /api/admin/modules/:module',
  access: 'admin',
  status: 200,
  answer: v.object({
    success: v.literal(true),
    module: v.string(),
    system_id: v.string(),
    running: v.boolean(),
  }),
}

/** A module in one star system, as the server measures it since it has opened the world. */
export interface ModuleCostEntry {
  readonly module: string
  readonly version: number
  readonly system_id: string
  /** of its columns and tables */
  readonly bytes: number
  /** at full seconds of game time */
  readonly calls: number
  /** wall time of a call [s] */
  readonly mean_seconds: number
  readonly worst_seconds: number
  /** calls that broke */
  readonly breaks: number
  /** game time at which it has stopped, and why; null where it runs */
  readonly stopped: { readonly game_time: string; readonly reason: string } | null
  readonly tables: readonly {
    readonly table: string
    readonly rows: number
    readonly rows_max: number
  }[]
}

/** 200 of `GET /api/admin/modules`. */
export interface ModuleCostsResponse {
  readonly modules: readonly ModuleCostEntry[]
}

const moduleCostEntry: v.GenericSchema<ModuleCostEntry> = v.object({
  module: v.string(),
  version: count,
  system_id: v.string(),
  bytes: count,
  calls: count,
  mean_seconds: real,
  worst_seconds: real,
  breaks: count,
  stopped: v.nullable(v.object({ game_time: v.string(), reason: v.string() })),
  tables: v.array(v.object({ table: v.string(), rows: count, rows_max: count })),
})

export const listModuleCosts: Route<ModuleCostsResponse> = {
  request: 'GET /api/admin/modules',
  access: 'admin',
  status: 200,
  answer: v.object({ modules: v.array(moduleCostEntry) }),
}

/** 200 of `GET /api/admin/modules/ships/{ship_id}`. */
export interface ShipModulesResponse {
  readonly ship_id: string
  /** those for operators, too */
  readonly ship_values: Readonly<Record<string, ModuleValues>>
}

export const readShipModules: Route<ShipModulesResponse, { path: 'ship_id' }> = {
  request: 'GET /api/admin/modules/ships/:ship_id',
  access: 'admin',
  status: 200,
  answer: v.object({ ship_id: v.string(), ship_values: v.record(v.string(), moduleValues) }),
}

/** 200 as that of reading: what is kept after it. */
export const commandShipModule: Route<
  ShipModulesResponse,
  { path: 'ship_id'; body: ServiceModuleRequest }
> = {
  request: 'POST /api/admin/modules/ships/:ship_id',
  access: 'admin',
  status: 200,
  answer: readShipModules.answer,
}
