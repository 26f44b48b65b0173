/** The state of a server, read over HTTP and a socket. */
import { type AdminClient, connectSocket } from '@orrery/client'
import type { ShipState, TickMessage } from '@orrery/protocol'
import type { Value } from './model.ts'

/** The server's ids of stations, gates and accounts, by key of the model. */
export type Ids = Map<string, string>

export interface Observation {
  /** values by key of the model */
  readonly things: ReadonlyMap<string, Value>
  readonly ships: ReadonlyMap<string, ShipState>
  readonly ids: Ids
  /** star systems, the home of new ships first */
  readonly systems: readonly string[]
  readonly era: number
  readonly tick: number
  readonly gameTime: string
}

/** Longest list of ships in a frame. */
const FRAME_SHIPS_MAX = 256

/** Reads everything, as an admin. */
export async function observe(
  url: string,
  token: string,
  admin: AdminClient,
): Promise<Observation> {
  const things = new Map<string, Value>()
  const ids: Ids = new Map()
  await observeServer(admin, things, ids)
  await observeObjects(admin, things, ids)
  const systems = (await admin.systems()).systems.map(({ id }) => id)
  const frames = await framesOf(url, token, systems)
  const ships = new Map(
    frames.flatMap((frame) => frame.ships.map((ship) => [ship.ship_id, ship] as const)),
  )
  for (const { ship_id: id, name, system_id: system } of frames.flatMap((frame) => frame.ships)) {
    things.set(`name:${id}`, name)
    once(things, `system:${id}`, system)
  }
  const [{ era, tick, game_time: gameTime }] = frames
  return { things, ships, ids, systems, era, tick, gameTime }
}

async function observeServer(
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

async function observeObjects(
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

/** Marks what occurs twice: one request was executed twice. */
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
