import { type Universe, worldNamed } from '@orrery/engine'
import { refusal } from '@orrery/game'
import {
  type ModuleSwitchRequest,
  type api,
  moduleCommandRequest,
  moduleSwitchRequest,
  serviceModuleRequest,
} from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { moduleCosts, moduleState, modulesResponse, shipModules } from '../views/modules.ts'
import { playerOf } from '../requests/caller.ts'
import { bodyValues } from '../requests/input.ts'
import { command } from '../requests/structural-command.ts'
import type { AdminEnv } from './admin.ts'

const ERRORS = [
  [404, 'E002'],
  [404, 'E006'],
  [409, 'E003'],
] as const

/** Rules of a game's own: what there is, and a player's commands. */
export function moduleRoutes(parts: AppParts): Hono {
  const { engine } = parts
  const routes = new Hono()
  const listing = {
    tag: 'public',
    summary: 'List the modules',
    description: "The rules of the game's own, with their commands; none by default.",
  } as const
  serve(routes, 'listModules', listing, async (context) =>
    context.json(await engine.whenSettled(() => modulesResponse(engine.universe))),
  )
  const reading = {
    tag: 'player',
    summary: 'Read what modules keep',
    description: "What modules keep of the player's ship, and of its star system.",
    errors: ERRORS,
  } as const
  serve(routes, 'readModules', reading, async (context) => {
    const { account } = await playerOf(context, parts)
    const { shipId } = account
    if (shipId === null) throw refusal('E006')
    return context.json(await engine.whenSettled(() => moduleState(engine.universe, shipId)))
  })
  const commanding = {
    tag: 'player',
    summary: 'Command a module',
    description:
      "Gives the player's ship a command of a module. One that the module refuses has changed " +
      'nothing; the `refusal` of the error has its reason.',
    body: moduleCommandRequest,
    errors: [...ERRORS, [403, 'E003'], [429, 'E004']],
  } as const
  serve(routes, 'commandModule', commanding, async (context) => {
    const { account, playerId: accountId } = await playerOf(context, parts)
    const { shipId } = account
    const given = await bodyValues(context, moduleCommandRequest)
    if (shipId === null) throw refusal('E006')
    const module = context.req.param('module') ?? ''
    await parts.sockets.commandModule({ ...given, accountId, shipId, module })
    return context.json(await engine.whenSettled(() => moduleState(engine.universe, shipId)))
  })
  return routes
}

/** What operators do with modules. */
export function moduleAdminRoutes(parts: AppParts): Hono<AdminEnv> {
  const { engine } = parts
  const routes = new Hono<AdminEnv>()
  addShipRoutes(routes, parts)
  const switching = {
    summary: 'Stop or start a module',
    description:
      'Stops a module in a star system, or starts one that has stopped. What it keeps stays. It ' +
      'goes on at the next full second of game time; what happened meanwhile is not for it, and ' +
      'it stops again where it breaks again.',
    tag: 'operations',
    body: moduleSwitchRequest,
    errors: [
      [404, 'E002'],
      [409, 'E003'],
    ],
  } as const
  serve(routes, 'switchModule', switching, async (context) => {
    const module = context.req.param('module')
    const values = await bodyValues(context, moduleSwitchRequest)
    const { reason = STOPPED, running, system_id: systemId } = values
    await engine.whenSettled(() => requireSwitchable(engine.universe, module, values))
    const order = running
      ? ({ kind: 'start_module', module, systemId } as const)
      : ({ kind: 'stop_module', module, systemId, reason } as const)
    const detail = { module, system: systemId, ...(!running && { reason }) }
    await command(parts, context.get('admin'), order, detail)
    const answer: api.SwitchedModuleResponse = {
      success: true,
      module,
      system_id: systemId,
      running,
    }
    return context.json(answer)
  })
  return routes
}

/** What modules cost, and what they keep of a ship. */
function addShipRoutes(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine } = parts
  const costing = {
    summary: 'List what modules cost',
    description:
      'Each module in each star system: memory, wall time at full seconds of game time, rows of ' +
      'its tables, and where and why it has stopped, as this server measures since its start.',
    tag: 'operations',
  } as const
  serve(routes, 'listModuleCosts', costing, async (context) =>
    context.json(await engine.whenSettled(() => moduleCosts(engine.universe))),
  )
  const ofShip = {
    summary: 'Read what modules keep of a ship',
    description: 'All columns of a ship, also those that its pilot does not see.',
    tag: 'operations',
    errors: [[404, 'E006']],
  } as const
  serve(routes, 'readShipModules', ofShip, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    return context.json(await engine.whenSettled(() => shipModules(engine.universe, shipId)))
  })
  const commanding = {
    summary: 'Command a module for a ship',
    description:
      'Gives a ship a command of a module, also one that only operators may give. One that the ' +
      'module refuses has changed nothing; the `refusal` of the error has its reason.',
    tag: 'operations',
    body: serviceModuleRequest,
    errors: ERRORS,
  } as const
  serve(routes, 'commandShipModule', commanding, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const values = await bodyValues(context, serviceModuleRequest)
    const { module, command: name, values: body = {} } = values
    const order = { kind: 'module_command', shipId, module, command: name, body } as const
    const detail = { ship: shipId, module, command: name, values: JSON.stringify(body) }
    await command(parts, context.get('admin'), order, detail)
    return context.json(await engine.whenSettled(() => shipModules(engine.universe, shipId)))
  })
}

/** Of a module that an operator stops without a reason. */
const STOPPED = 'An operator has stopped it.'

/** @throws {Refusal} 404 E002, 409 E003 @throws {EngineError} 'ERR_SYSTEM_UNKNOWN' */
function requireSwitchable(
  universe: Universe,
  module: string,
  { running, system_id: systemId }: ModuleSwitchRequest,
): void {
  const { modules, state } = worldNamed(universe, systemId)
  const found = modules?.added.find(({ id }) => id === module)
  if (!found) throw refusal('E002', `There is no module ${module}.`, 404)
  if (running === !found.stopped) {
    const how = running ? 'runs' : 'has stopped'
    throw refusal('E003', `Module ${module} ${how} in ${state.system.name} already.`, 409)
  }
}
