import { type Engine, EngineError, type WorldCommand } from '@orrery/engine'
import { asRefusal, refusal } from '@orrery/game'
import { type TransferResponse, jumpRequest, transferResponse } from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { operation } from '../openapi.ts'
import { pilotErrorCode } from '../sockets/pilot-commands.ts'
import { bodyValues } from './input.ts'
import { accountOf } from './player.ts'

/** What a player's ship does at gates. */
export function visitRoutes({ engine, players }: AppParts): Hono {
  const routes = new Hono()
  routes.post(
    '/api/player/jump',
    operation({
      summary: "Takes one's ship through a jump gate within its radius, at 20 m/s at most",
      tag: 'player',
      access: 'player',
      body: jumpRequest,
      success: { status: 200, schema: transferResponse },
      errors: [
        [404, 'E006'],
        [409, 'E003'],
      ],
    }),
    async (context) => {
      const { playerId: actor, shipId } = await accountOf(context, players)
      const { jumpgate_id: id } = await bodyValues(context, jumpRequest)
      const before = await engine.ship(shipId ?? '')
      if (!before) throw refusal('E006')
      const jumpgateId = id.toLowerCase()
      await execute(engine, { kind: 'jump_ship', shipId: before.shipId, jumpgateId }, actor)
      const after = await engine.ship(before.shipId)
      return context.json({
        success: true,
        previous_system: before.systemId,
        new_system: after?.systemId ?? '',
      } satisfies TransferResponse)
    },
  )
  return routes
}

async function execute(engine: Engine, order: WorldCommand, actor: string): Promise<void> {
  try {
    await engine.execute(order, { actor })
  } catch (error) {
    const code = error instanceof EngineError ? pilotErrorCode(error) : undefined
    if (code === 'E003') throw refusal(code, (error as EngineError).message, 409)
    throw code === 'E006' ? refusal(code) : asRefusal(error)
  }
}
