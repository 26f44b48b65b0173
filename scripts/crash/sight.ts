/** What a server that has just come back shows over its own doors. */
import { type AdminClient, connectSocket } from '@orrery/client'
import type { ShipState, TickMessage } from '@orrery/protocol'
import type { Value } from './ledger.ts'

/** Names by which the server knows what a key names: of stations, gates and accounts. */
export type Ids = Map<string, string>

export interface Sight {
  /** everything that can be looked at, by the ledger's keys */
  readonly things: ReadonlyMap<string, Value>
  readonly ships: ReadonlyMap<string, ShipState>
  readonly ids: Ids
  /** star systems, the home of new ships first */
  readonly systems: readonly string[]
  readonly era: number
  readonly tick: number
  readonly gameTime: string
}

/** Ships that a frame shows at most; more could not be counted. */
const FRAME_SHIPS_MAX = 256

/** Looks at everything, as an admin. */
export async function sightOf(url: string, token: string, admin: AdminClient): Promise<Sight> {
  const things = new Map<string, Value>()
  const ids: Ids = new Map()
  await lookAtHouse(admin, things, ids)
  await lookAtObjects(admin, things, ids)
  const systems = (await admin.systems()).systems.map(({ id }) => id)
  const frames = await framesOf(url, token, systems)
  const ships = new Map(
    frames.flatMap((frame) => frame.ships.map((ship) => [ship.ship_id, ship] as const)),
  )
  for (const { ship_id: id, name, system_id: system } of ships.values()) {
    things.set(`name:${id}`, name)
    things.set(`system:${id}`, system)
  }
  const [{ era, tick, game_time: gameTime }] = frames
  return { things, ships, ids, systems, era, tick, gameTime }
}

async function lookAtHouse(
  admin: AdminClient,
  things: Map<string, Value>,
  ids: Ids,
): Promise<void> {
  const [{ players }, { admins }, status, { snapshots }] = await Promise.all([
    admin.players.list(),
    admin.admins.list(),
    admin.status(),
    admin.snapshots.list(),
  ])
  for (const { username, player_id: id, ship_id: shipId } of players) {
    once(things, `account:${username}`, true)
    ids.set(`account:${username}`, id)
    things.set(`ship:${username}`, shipId)
    things.set(`role:${username}`, false)
  }
  for (const { username } of admins) things.set(`role:${username}`, true)
  for (const { id } of snapshots) things.set(`snapshot:${id}`, true)
  things.set('rate', status.tick_rate)
  things.set('scale', status.time_scale)
  things.set('paused', status.paused)
  things.set('open', status.registration_open)
  things.set('sync', status.time_sync_enabled)
}

async function lookAtObjects(
  admin: AdminClient,
  things: Map<string, Value>,
  ids: Ids,
): Promise<void> {
  const [{ stations }, { jumpgates }, { level }] = await Promise.all([
    admin.stations.list(),
    admin.jumpgates.list(),
    admin.maneuverLog.level(),
  ])
  things.set('level', level)
  for (const { name, station_id: id } of stations) {
    once(things, `station:${name}`, true)
    ids.set(`station:${name}`, id)
  }
  for (const { name, jumpgate_id: id } of jumpgates) {
    once(things, `gate:${name}`, true)
    ids.set(`gate:${name}`, id)
  }
}

/** What is there twice was made twice of one wish. */
function once(things: Map<string, Value>, key: string, value: Value): void {
  things.set(key, things.has(key) ? 'twice' : value)
}

/** A frame of each star system. */
async function framesOf(
  url: string,
  token: string,
  systems: readonly string[],
): Promise<TickMessage[]> {
  const socket = connectSocket({ url, token })
  try {
    await socket.opened
    const frames: TickMessage[] = []
    for (const system_id of systems) {
      const frame = Promise.withResolvers<TickMessage>()
      let isChosen = false
      const ends = [
        socket.on('subscribed', () => {
          isChosen = true
        }),
        socket.on('tick', (message) => {
          if (isChosen) frame.resolve(message)
        }),
        socket.on('disconnected', ({ reason }) => frame.reject(new Error(reason))),
      ]
      await socket.subscribe({ system_id })
      frames.push(await frame.promise)
      for (const end of ends) end()
    }
    const crowded = frames.find(({ ships }) => ships.length >= FRAME_SHIPS_MAX)
    if (crowded) throw new Error('More ships than a frame shows: they cannot be counted.')
    return frames
  } finally {
    socket.close()
  }
}
