/** Rules of a game's own. */
import {
  type ModuleCommandRequest,
  type ModuleStateResponse,
  type ModuleSwitchRequest,
  type ModulesResponse,
  moduleStateResponse,
  modulesResponse,
} from '../bodies/modules.ts'
import * as v from 'valibot'
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
