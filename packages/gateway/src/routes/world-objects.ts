import { type Engine, EngineError, type WorldCommand, gatePairs } from '@orrery/engine'
import { refusal } from '@orrery/game'
import { type BodyIssue, HttpError, issueSentence, jsonBody } from '@orrery/http'
import {
  type AssignedShipResponse,
  type JumpgateEntry,
  type JumpgateResponse,
  type JumpgatesResponse,
  type StationRequest,
  type StationResponse,
  type StationsResponse,
  type SystemsResponse,
  type TransferResponse,
  jumpgateRequest,
  shipChangeRequest,
  stationRequest,
  transferRequest,
} from '@orrery/protocol'
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'
import type * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { serve } from '../documents/openapi.ts'
import { systemEntry } from '../views/system-views.ts'
import { jumpgateEntry, stationEntry } from '../views/wire-views.ts'
import type { AdminEnv } from './admin.ts'
import type { Caller } from '../requests/caller.ts'
import { bodyValues } from '../requests/input.ts'
import { shipChange } from '../requests/ship-change.ts'
import { command } from '../requests/structural-command.ts'

/** The objects of the world besides bodies, and the systems that ships are in. */
export function worldObjectRoutes(parts: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  addSystems(routes, parts)
  addTransfer(routes, parts)
  addChanges(routes, parts)
  addStations(routes, parts)
  addJumpgates(routes, parts)
  return routes
}

/** Errors of names in the body, which are unknown objects elsewhere. */
const NAMED_IN_BODY: ReadonlySet<string> = new Set<EngineError['code']>([
  'ERR_SYSTEM_UNKNOWN',
  'ERR_BODY_UNKNOWN',
])

async function execute(
  parts: AppParts,
  actor: Caller,
  order: WorldCommand,
  detail: Readonly<Record<string, string | number>>,
): Promise<void> {
  try {
    await command(parts, actor, order, detail)
  } catch (error) {
    if (error instanceof EngineError && NAMED_IN_BODY.has(error.code)) {
      throw refusal('E001', error.message)
    }
    throw error
  }
}

function addSystems(routes: Hono<AdminEnv>, { engine }: AppParts): void {
  serve(
    routes,
    'listSystemsForAdmins',
    {
      summary: 'List star systems, for admins',
      description: 'All star systems, with the number of bodies and of ships in each.',
      tag: 'world objects',
    },
    async (context) => {
      const systems = await engine.whenSettled(() => engine.systems())
      return context.json({ systems: systems.map(systemEntry) } satisfies SystemsResponse)
    },
  )
}

function addTransfer(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, controlQueue } = parts
  serve(
    routes,
    'transferShip',
    {
      summary: 'Transfer a ship',
      description:
        'Takes a ship to the spawn orbit of another star system. It keeps its fuel; its ' +
        'maneuver ends.',
      tag: 'world objects',
      body: transferRequest,
      errors: [
        [400, 'E003'],
        [404, 'E006'],
        [503, 'E008'],
      ],
    },
    async (context) => {
      const shipId = context.req.param('ship_id').toLowerCase()
      // The ship is checked before the destination.
      if (!(await engine.ship(shipId))) throw refusal('E006')
      const { system_id: systemId } = await bodyValues(context, transferRequest)
      const previous = await controlQueue(async () => {
        const ship = await engine.ship(shipId)
        await execute(
          parts,
          context.get('admin'),
          { kind: 'transfer_ship', shipId, systemId },
          { ship: shipId, system: systemId },
        )
        return ship?.systemId ?? ''
      })
      return context.json({
        success: true,
        previous_system: previous,
        new_system: systemId,
      } satisfies TransferResponse)
    },
  )
}

function addChanges(routes: Hono<AdminEnv>, parts: AppParts): void {
  const changing = {
    summary: 'Change a ship',
    description:
      'Gives a ship another class, fuel or place. With another class or place its maneuver ends.',
    tag: 'world objects',
    body: shipChangeRequest,
    errors: [
      [404, 'E002'],
      [404, 'E006'],
      [409, 'E003'],
      [503, 'E008'],
    ],
  } as const
  serve(routes, 'alterShip', changing, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const change = await bodyValues(context, shipChangeRequest)
    const detail = { ship: shipId, ...change }
    await parts.controlQueue(() =>
      execute(parts, context.get('admin'), shipChange(shipId, change), detail),
    )
    return context.json({ ship_id: shipId } satisfies AssignedShipResponse)
  })
}

function addStations(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, controlQueue } = parts
  serve(
    routes,
    'createStation',
    {
      summary: 'Create a station',
      description: 'On an equatorial orbit `altitude` metres high, or at a Lagrange point.',
      tag: 'world objects',
      body: stationRequest,
      errors: [[400, 'E003']],
    },
    async (context) => {
      const body = await bodyValues(context, stationRequest)
      const { name, parent_body: parentBody } = body
      const stationId = randomUUID()
      const station = await controlQueue(async () => {
        const placement = placementOf(body)
        const order = { kind: 'create_station', stationId, name, parentBody, placement } as const
        await execute(parts, context.get('admin'), order, { station: stationId, name })
        return engine.whenSettled(() =>
          engine.stations().find((one) => one.stationId === stationId),
        )
      })
      return context.json({
        success: true,
        station_id: stationId,
        station: stationEntry(station!),
      } satisfies StationResponse)
    },
  )
  serve(
    routes,
    'listStations',
    {
      summary: 'List stations',
      description: 'All stations, oldest first.',
      tag: 'world objects',
    },
    async (context) => {
      const stations = await engine.whenSettled(() => engine.stations())
      return context.json({ stations: stations.map(stationEntry) } satisfies StationsResponse)
    },
  )
  serve(
    routes,
    'deleteStation',
    {
      summary: 'Delete a station',
      description: 'Removes a station from the world.',
      tag: 'world objects',
      errors: [[404, 'E002']],
    },
    async (context) => {
      const stationId = context.req.param('station_id').toLowerCase()
      await controlQueue(() =>
        execute(
          parts,
          context.get('admin'),
          { kind: 'remove_station', stationId },
          { station: stationId },
        ),
      )
      return context.body(null, 204)
    },
  )
}

/** The schema has seen to it that one of the two is there, and whole. */
function placementOf({
  altitude,
  secondary_body: secondaryBody,
  lagrange_point: point,
}: StationRequest): Extract<WorldCommand, { kind: 'create_station' }>['placement'] {
  return altitude === undefined
    ? { kind: 'lagrange', secondaryBody: secondaryBody!, point: point! }
    : { kind: 'orbit', altitude }
}

function addJumpgates(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { engine, controlQueue } = parts
  serve(
    routes,
    'createJumpgate',
    {
      summary: 'Create a jump gate',
      description: 'At a Lagrange point, by default the fourth, and paired with another if given.',
      tag: 'world objects',
      body: jumpgateRequest,
      errors: [
        [400, 'E003'],
        [422, 'E001'],
      ],
    },
    async (context) => {
      const body = await jsonBody(context, jumpgateRequest, { refusal: unprocessable })
      const { name } = body
      const jumpgateId = randomUUID()
      const gate = await controlQueue(async () => {
        const order = { kind: 'create_jumpgate', jumpgateId, ...gateOf(body) } as const
        await execute(parts, context.get('admin'), order, { jumpgate: jumpgateId, name })
        return (await jumpgateEntries(engine)).find((one) => one.jumpgate_id === jumpgateId)
      })
      return context.json({
        success: true,
        jumpgate_id: jumpgateId,
        jumpgate: gate!,
      } satisfies JumpgateResponse)
    },
  )
  serve(
    routes,
    'listJumpgates',
    {
      summary: 'List jump gates',
      description: 'All jump gates, oldest first.',
      tag: 'world objects',
    },
    async (context) => {
      const jumpgates = await jumpgateEntries(engine)
      return context.json({ jumpgates } satisfies JumpgatesResponse)
    },
  )
  serve(
    routes,
    'deleteJumpgate',
    {
      summary: 'Delete a jump gate',
      description: 'Removes a jump gate from the world.',
      tag: 'world objects',
      errors: [[404, 'E002']],
    },
    async (context) => {
      const jumpgateId = context.req.param('jumpgate_id').toLowerCase()
      await controlQueue(() =>
        execute(
          parts,
          context.get('admin'),
          { kind: 'remove_jumpgate', jumpgateId },
          { jumpgate: jumpgateId },
        ),
      )
      return context.body(null, 204)
    },
  )
}

function gateOf(
  body: v.InferOutput<typeof jumpgateRequest>,
): Omit<Extract<WorldCommand, { kind: 'create_jumpgate' }>, 'kind' | 'jumpgateId'> {
  const pairedWith = body.paired_jumpgate_id?.toLowerCase()
  return {
    name: body.name,
    primaryBody: body.primary_body,
    secondaryBody: body.secondary_body,
    lagrangePoint: body.lagrange_point,
    ...(pairedWith !== undefined && { pairedWith }),
  }
}

function jumpgateEntries(engine: Engine): Promise<JumpgateEntry[]> {
  return engine.whenSettled(() => {
    const pairs = gatePairs(engine.universe)
    return engine.jumpgates().map((view) => jumpgateEntry(view, pairs))
  })
}

/** A gate's body that its schema refuses: the interface requires 422 here. */
function unprocessable([issue]: readonly [BodyIssue, ...BodyIssue[]]): HttpError {
  return new HttpError(422, 'E001', issueSentence(issue))
}
