import { refusal } from '@orrery/game'
import {
  type AcceptedMessage,
  type DockingResponse,
  type TransferResponse,
  dockRequest,
  jumpRequest,
} from '@orrery/protocol'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { type Operation, serve } from '../documents/openapi.ts'
import { type PilotCommand, runPilotCommand } from '../connection/pilot-commands.ts'
import { playerOf } from '../requests/caller.ts'
import { bodyValues } from '../requests/input.ts'

const VISIT: Pick<Operation, 'tag' | 'errors'> = {
  tag: 'player',
  errors: [
    [404, 'E002'],
    [404, 'E006'],
    [409, 'E003'],
    [429, 'E004'],
  ],
}

/** What a player's ship does at gates and stations. */
export function visitRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  const { engine } = parts
  serve(
    routes,
    'jump',
    {
      summary: 'Jump through a gate',
      description:
        "Takes the player's ship through a jump gate to its pair in another star system. The " +
        'ship must be within the radius of the gate and slower than 20 m/s relative to it.',
      ...VISIT,
      body: jumpRequest,
    },
    async (context) => {
      const { playerId: accountId, account } = await playerOf(context, parts)
      const { jumpgate_id } = await bodyValues(context, jumpRequest)
      const before = await engine.ship(account.shipId ?? '')
      if (!before) throw refusal('E006')
      const pilot = { accountId, shipId: before.shipId }
      await run(parts, pilot, { type: 'jump', jumpgate_id })
      const after = await engine.ship(before.shipId)
      return context.json({
        success: true,
        previous_system: before.systemId,
        new_system: after?.systemId ?? '',
      } satisfies TransferResponse)
    },
  )
  addDocking(routes, parts)
  return routes
}

function addDocking(routes: Hono, parts: AppParts): void {
  const answer = async (context: Context, command: PilotCommand): Promise<DockingResponse> => {
    const { playerId: accountId, account } = await playerOf(context, parts)
    const pilot = { accountId, shipId: account.shipId ?? '' }
    const { game_time } = await run(parts, pilot, command)
    return { success: true, game_time }
  }
  serve(
    routes,
    'dock',
    {
      summary: 'Dock at a station',
      description:
        "The autopilot flies the player's ship to a station and docks, leaving as the body says. " +
        'A docked ship moves with the station and is refuelled.',
      ...VISIT,
      body: dockRequest,
    },
    async (context) => {
      await playerOf(context, parts)
      const asked = await bodyValues(context, dockRequest)
      return context.json(await answer(context, { type: 'dock', ...asked }))
    },
  )
  serve(
    routes,
    'undock',
    {
      summary: 'Undock',
      description: "Releases the player's ship from its station.",
      ...VISIT,
    },
    async (context) => context.json(await answer(context, { type: 'undock' })),
  )
}

/** Carries out a command as from a socket. */
async function run(
  { engine, sockets }: AppParts,
  pilot: { readonly accountId: string; readonly shipId: string },
  command: PilotCommand,
): Promise<AcceptedMessage> {
  // With an id a command is always answered.
  const ordered = (shipId: string): void => sockets.ordered(shipId)
  return (await runPilotCommand({ ...command, id: 0 }, pilot, engine, ordered)) as AcceptedMessage
}
