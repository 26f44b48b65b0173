import { refusal } from '@orrery/game'
import {
  type AnnouncementResponse,
  type AssignedShipResponse,
  type SaidMessage,
  announcementRequest,
  keyedHeaders,
  serviceModuleRequest,
  shipChangeRequest,
  spawnRequest,
  transferRequest,
} from '@orrery/protocol'
import type { AccountRecords } from '@orrery/store'
import { Hono } from 'hono'
import type { AppParts } from '../../app-parts.ts'
import { serve } from '../../documents/openapi.ts'
import { shipChange } from '../../requests/ship-change.ts'
import { commandWith } from '../../requests/structural-command.ts'
import { type KeyedCommands, createKeyedCommands } from './keyed-commands.ts'

const KEYED =
  'Needs the scope `commands` and an `Idempotency-Key`: the same key and request again, within a ' +
  'day, act once and are answered alike. A token has 60 commands a minute.'

const words = (summary: string, description: string) =>
  ({
    summary,
    description: `${description} ${KEYED}`,
    tag: 'services',
    headers: keyedHeaders,
  }) as const

const ERRORS = [
  [403, 'E003'],
  [409, 'E003'],
  [422, 'E001'],
] as const
const OF_SHIP = [...ERRORS, [404, 'E006']] as const

/** What programs order under a service token, as a game's masters do. */
export function serviceCommandRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  const keyed = createKeyedCommands(parts)
  addSpawning(routes, parts, keyed)
  addOrders(routes, parts, keyed)
  addRemoval(routes, parts, keyed)
  addMessages(routes, parts, keyed)
  return routes
}

function addSpawning(
  routes: Hono,
  { accountChanges, sockets }: AppParts,
  keyed: KeyedCommands,
): void {
  const spawning = {
    ...words(
      'Make a ship',
      'A new ship for an account that has none, or by a `name` for no account, which stays until ' +
        'it is removed. It may be of any class, and one without an account begin `beside` another.',
    ),
    body: spawnRequest,
    errors: [...OF_SHIP, [404, 'E009']],
  } as const
  serve(routes, 'spawnShip', spawning, async (context) => {
    const answer = await keyed(context, spawnRequest, async ({ actor, body, written }) => {
      const { player_id: playerId, name = '', beside, ship_class: shipClass } = body
      const by = (records: AccountRecords, ship: string): Promise<void> => {
        const [action, owner] =
          playerId === undefined
            ? (['create_ship', { name }] as const)
            : (['assign_ship', { player: playerId }] as const)
        return written({ ship_id: ship }, action, { ship, ...owner })(records)
      }
      if (playerId === undefined) {
        const ship = { name, shipClass, beside: beside?.toLowerCase() }
        const made: AssignedShipResponse = {
          ship_id: await accountChanges.addShip(actor, ship, by),
        }
        return made
      }
      const given = await accountChanges.assignShip(actor, playerId, shipClass, by)
      sockets.shipChanged(given.playerId)
      return { ship_id: given.shipId } satisfies AssignedShipResponse
    })
    return context.json(answer, 201)
  })
}

function addOrders(routes: Hono, parts: AppParts, keyed: KeyedCommands): void {
  const moving = {
    ...words(
      'Move a ship to a star system',
      'To the spawn orbit of another star system. It keeps its fuel; its maneuver ends.',
    ),
    body: transferRequest,
    errors: [...OF_SHIP, [400, 'E003'], [404, 'E002']],
  } as const
  serve(routes, 'moveShip', moving, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const answer = await keyed(context, transferRequest, async ({ body, source }) => {
      const { system_id: systemId } = body
      const done = { ship_id: shipId } satisfies AssignedShipResponse
      const detail = { ship: shipId, system: systemId }
      const order = { kind: 'transfer_ship', shipId, systemId } as const
      await parts.controlQueue(() => commandWith(parts, order, source(done, order.kind, detail)))
      return done
    })
    return context.json(answer)
  })

  const changing = {
    ...words(
      'Change a ship',
      'Gives a ship another class, fuel or place. With another class or place its maneuver ends.',
    ),
    body: shipChangeRequest,
    errors: [...OF_SHIP, [404, 'E002']],
  } as const
  serve(routes, 'changeShip', changing, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const answer = await keyed(context, shipChangeRequest, async ({ body, source }) => {
      const done = { ship_id: shipId } satisfies AssignedShipResponse
      const order = shipChange(shipId, body)
      const made = source(done, order.kind, { ship: shipId, ...body })
      await parts.controlQueue(() => commandWith(parts, order, made))
      return done
    })
    return context.json(answer)
  })

  const commanding = {
    ...words(
      'Command a module for a ship',
      'Gives a ship a command of a module, also one that only operators may give. One that the ' +
        'module refuses has changed nothing; the `refusal` of the error has its reason.',
    ),
    body: serviceModuleRequest,
    errors: [...OF_SHIP, [404, 'E002']],
  } as const
  serve(routes, 'commandModuleForShip', commanding, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const answer = await keyed(context, serviceModuleRequest, async ({ body, source }) => {
      const { module, command, values = {} } = body
      const done = { ship_id: shipId } satisfies AssignedShipResponse
      const detail = { ship: shipId, module, command, values }
      const order = { kind: 'module_command', shipId, module, command, body: values } as const
      await commandWith(parts, order, source(done, order.kind, detail))
      return done
    })
    return context.json(answer)
  })
}

function addRemoval(
  routes: Hono,
  { accountChanges, sockets, ...parts }: AppParts,
  keyed: KeyedCommands,
): void {
  const removing = {
    ...words('Remove a ship', 'Takes a ship out of the world. The account that had it stays.'),
    errors: OF_SHIP,
  }
  serve(routes, 'removeShip', removing, async (context) => {
    const shipId = context.req.param('ship_id').toLowerCase()
    const answer = await keyed(context, undefined, async ({ actor, source, written }) => {
      const done = [{ ship_id: shipId }, 'remove_ship', { ship: shipId }] as const
      const playerId = await accountChanges.takeShip(actor, shipId, written(...done))
      if (playerId !== undefined) sockets.shipChanged(playerId)
      else {
        const { alongside, ...how } = source(...done)
        const both = async (records: AccountRecords): Promise<void> => {
          await records.serviceShips.remove(shipId)
          await alongside(records)
        }
        await commandWith(parts, { kind: 'remove_ship', shipId }, { ...how, alongside: both })
      }
      return done[0] satisfies AssignedShipResponse
    })
    return context.json(answer)
  })
}

function addMessages(
  routes: Hono,
  { changeAccounts, sockets }: AppParts,
  keyed: KeyedCommands,
): void {
  const announcing = {
    ...words(
      'Send pilots a message',
      'To the pilot of a ship, or to all who are connected, once at most: a crash may lose it.',
    ),
    body: announcementRequest,
    errors: OF_SHIP,
  }
  serve(routes, 'announce', announcing, async (context) => {
    const answer = await keyed(context, announcementRequest, async ({ actor, body, written }) => {
      const named = body.ship_id?.toLowerCase()
      const pilots = new Set(sockets.pilots())
      const isThere = named !== undefined && pilots.has(named)
      if (named !== undefined && !isThere) {
        throw refusal('E006', 'No pilot of that ship is connected')
      }
      const to = named === undefined ? [...pilots] : [named]
      const said: SaidMessage = {
        type: 'said',
        ship_id: actor.playerId,
        ship_name: actor.username,
        text: body.text,
        at: new Date().toISOString(),
        ...(named !== undefined && { to_ship_id: named }),
      }
      const done: AnnouncementResponse = { heard: to.length }
      await changeAccounts(written(done, 'announce', { ...body }))
      sockets.announce(said, to)
      return done
    })
    return context.json(answer)
  })
}
