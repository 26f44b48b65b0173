import {
  type ManeuverDebug,
  type ManeuverDebugChanged,
  type ManeuverEventEntry,
  type ManeuverEventsResponse,
  type ManeuverLogging,
  type ManeuverLoggingChanged,
  maneuverDebugQuery,
  maneuverDebugRequest,
  maneuverEventsQuery,
  maneuverLogging,
} from '@orrery/protocol'
import type { StreamedEvent } from '@orrery/store'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import type { AdminEnv } from './admin.ts'
import { bodyValues, queryValues } from '../requests/input.ts'
import { command } from '../requests/structural-command.ts'

/** Events of an answer when no limit is asked for. */
const EVENTS_DEFAULT = 50

/** The log of maneuvers, and its level of detail. */
export function maneuverRoutes(parts: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  addLogging(routes, parts)
  addEvents(routes, parts)
  addDebug(routes, parts)
  return routes
}

function addLogging(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine } = parts
  serve(
    routes,
    'readManeuverLogging',
    {
      summary: 'Read the level of the maneuver log',
      description: 'The level of detail: `verbose`, `normal` or `off`.',
      tag: 'maneuvers',
    },
    (context) => {
      const { level } = engine.universe.worlds[0].maneuvers
      return context.json({ level } satisfies ManeuverLogging)
    },
  )
  serve(
    routes,
    'changeManeuverLogging',
    {
      summary: 'Change the level of the maneuver log',
      description: 'Sets the level of detail for all ships.',
      tag: 'maneuvers',
      body: maneuverLogging,
    },
    async (context) => {
      const { level } = await bodyValues(context, maneuverLogging)
      await command(parts, context.get('admin'), { kind: 'maneuver_logging', level }, { level })
      return context.json({ success: true, level } satisfies ManeuverLoggingChanged)
    },
  )
}

function addEvents(routes: Hono<AdminEnv>, parts: AppParts): void {
  serve(
    routes,
    'listManeuverEvents',
    {
      summary: 'List maneuver events',
      description: 'Events of the maneuver log, newest first, of one ship or of one type if given.',
      tag: 'maneuvers',
      query: maneuverEventsQuery,
    },
    async (context) => context.json(await maneuverEvents(context, parts)),
  )
}

/** The events that a request asks for. */
export async function maneuverEvents(
  context: Context,
  { maneuverEvents: log }: Pick<AppParts, 'maneuverEvents'>,
): Promise<ManeuverEventsResponse> {
  const query = queryValues(context, maneuverEventsQuery)
  const { ship_id: shipId, event_type: eventType, limit = EVENTS_DEFAULT } = query
  return { events: (await log.list({ shipId, eventType, limit })).map(eventEntry) }
}

function addDebug(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine } = parts
  serve(
    routes,
    'readManeuverDebug',
    {
      summary: 'Read the debug flag of a ship',
      description: 'Whether every event of one ship is logged.',
      tag: 'maneuvers',
      query: maneuverDebugQuery,
      errors: [[404, 'E006']],
    },
    (context) => {
      const { ship_id: asked } = queryValues(context, maneuverDebugQuery)
      const shipId = asked.toLowerCase()
      const debug = engine.isManeuverDebugged(shipId)
      return context.json({ ship_id: shipId, debug } satisfies ManeuverDebug)
    },
  )
  serve(
    routes,
    'switchManeuverDebug',
    {
      summary: 'Switch the debug flag of a ship',
      description: 'Logs every event of one ship, whatever the level, or ends that.',
      tag: 'maneuvers',
      body: maneuverDebugRequest,
      errors: [[404, 'E006']],
    },
    async (context) => {
      const body = await bodyValues(context, maneuverDebugRequest)
      const { enabled } = body
      const shipId = body.ship_id.toLowerCase()
      const order = { kind: 'maneuver_debug', shipId, enabled } as const
      const detail = { ship: shipId, enabled }
      await command(parts, context.get('admin'), order, detail)
      return context.json({
        success: true,
        ship_id: shipId,
        debug: enabled,
      } satisfies ManeuverDebugChanged)
    },
  )
}

/** An event as readers see it. */
export function eventEntry<Row extends Omit<StreamedEvent, 'systemId'>>(
  row: Row,
): Omit<ManeuverEventEntry, 'maneuver_type' | 'phase'> & {
  readonly maneuver_type: Row['maneuverType']
  readonly phase: Row['phase']
} {
  return {
    id: row.id,
    ship_id: row.shipId,
    maneuver_type: row.maneuverType,
    event_type: row.eventType,
    phase: row.phase,
    from_phase: row.fromPhase,
    tick: row.tick,
    game_time: row.gameTime.toISOString(),
    element_errors: row.elementErrors,
    distance: row.distance,
    effectivity: row.effectivity,
    status_text: row.statusText,
    extra: row.extra,
    created_at: row.createdAt.toISOString(),
  }
}
