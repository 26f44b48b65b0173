/** Rules of a game's own. */
import {
  type ModuleCommandRequest,
  type ModuleStateResponse,
  type ModulesResponse,
  moduleStateResponse,
  modulesResponse,
} from '../bodies/modules.ts'
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
