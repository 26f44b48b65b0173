import { findShip } from '@orrery/engine'
import type { PilotsResponse } from '@orrery/protocol'
import { Hono } from 'hono'
import type { ReadingParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { playerOf } from '../requests/caller.ts'

/** Ships in one answer. */
const PILOTS_MAX = 1000

/** The route of the pilots that are connected. */
export function pilotRoutes(parts: ReadingParts): Hono {
  const { engine, sockets } = parts
  const routes = new Hono()
  const listing = {
    summary: 'List the pilots online',
    description: 'Ships whose players are connected: 1,000 at most, and how many players are.',
    tag: 'player',
  } as const
  serve(routes, 'listPilots', listing, async (context) => {
    await playerOf(context, parts)
    const pilots: PilotsResponse['pilots'][number][] = []
    for (const shipId of sockets.pilots()) {
      if (pilots.length === PILOTS_MAX) break
      const place = findShip(engine.universe, shipId)
      if (!place) continue
      const { entry, world } = place
      pilots.push({ ship_id: shipId, name: entry.name, system_id: world.state.system.id })
    }
    const answer: PilotsResponse = { players_online: sockets.online(), pilots }
    return context.json(answer)
  })
  return routes
}
