import type { BodiesResponse, SystemResponse, TickMessage } from '@orrery/protocol'
import {
  FREE,
  FLYING,
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  type StarSystem,
  createMassiveState,
  utcFromLattice,
} from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import type { GameClient } from '../requests/game-client.ts'
import type { GameSocket } from '../socket/game-socket.ts'
import { ARC } from '../scene/arc.ts'
import type { FlightClock } from '../clocks/flight-clock.ts'
import type { Scene } from '../scene/scene.ts'
import { latticeOf, railedObjects } from './tick-objects.ts'
import { RECEIVED_HULL } from '../scene/received-hull.ts'

/** What the ticks of a JSON socket are written to. */
export interface TickFeed {
  readonly socket: GameSocket
  readonly game: GameClient
  readonly scene: Scene
  readonly clock: FlightClock
  /** called with a defect of what was answered */
  readonly onFault?: (error: unknown) => void
}

/**
 * Writes what ticks say of the world, until it is stopped, which what it returns does. Bodies, and
 * what stations and gates run on, are asked for over HTTP, once per star system.
 */
export function followTicks({ socket, game, scene, clock, onFault }: TickFeed): () => void {
  const numbers = new Map<string, number>()
  let last: TickMessage | undefined
  let known: SystemResponse | undefined
  let isAsking = false
  /** Asks what is not known; the next tick after it finds it. */
  const ask = async (systemId: string, time: number): Promise<void> => {
    isAsking = true
    try {
      const node = Math.floor(time / NODE_QUANTA)
      const at = new Date(utcFromLattice(node * NODE_QUANTA)).toISOString()
      const [system, bodies] = await Promise.all([game.system(systemId), game.bodies(systemId, at)])
      const isReached = scene.system?.id === system.id && scene.bodies?.reach(time) === true
      if (!isReached) enter(scene, system, bodies, node)
      known = system
      if (last) scene.placeObjects(railedObjects(scene, system, last))
    } catch (error) {
      // The next tick asks again.
      if (!(error instanceof ClientError)) onFault?.(error)
    } finally {
      isAsking = false
    }
  }
  const stops = [
    socket.on('welcome', (message) => {
      const { frames, paused, era } = message
      if (frames) return
      const scale = paused ? 0 : message.effective_time_scale
      clock.note({ index: shownIndex(message, scale), scale, era })
    }),
    socket.on('clock', (message) => {
      const scale = message.paused ? 0 : message.effective_time_scale
      if (last) clock.note({ index: shownIndex(message, scale), scale })
    }),
    socket.on('paused', ({ game_time: time }) => {
      if (last) clock.note({ index: latticeOf(time), scale: 0 })
    }),
    socket.on('tick', (message) => {
      last = message
      const index = message.index + message.offset
      const scale = message.effective_time_scale
      const past = (message.age ?? 0) * scale * QUANTA_PER_SECOND
      clock.note({ index: index + past, scale, era: message.era })
      const systemId = message.ships[0]?.system_id ?? known?.id
      if (systemId === undefined) return
      const isReached = scene.system?.id === systemId && scene.bodies?.reach(index) === true
      const isKnown = isReached && known?.id === systemId && holds(known, message)
      if (!isKnown && !isAsking) void ask(systemId, index)
      if (scene.system?.id === systemId) takeShips(scene, numbers, message, index)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Lattice index that the server shows with a message, need not be whole. */
function shownIndex(
  { game_time: time, age = 0 }: { readonly game_time: string; readonly age?: number },
  scale: number,
): number {
  return latticeOf(time) + age * scale * QUANTA_PER_SECOND
}

/** Whether the stations and gates of a tick are those of a system. */
function holds({ stations, jumpgates }: SystemResponse, tick: TickMessage): boolean {
  const ids = new Set([...stations.map(stationId), ...jumpgates.map(jumpgateId)])
  const now = [...tick.stations.map(stationId), ...tick.jumpgates.map(jumpgateId)]
  return now.length === ids.size && now.every((id) => ids.has(id))
}

const stationId = ({ station_id: id }: { readonly station_id: string }): string => id
const jumpgateId = ({ jumpgate_id: id }: { readonly jumpgate_id: string }): string => id

function enter(
  scene: Scene,
  { id, name, position, bodies }: SystemResponse,
  states: BodiesResponse,
  node: number,
): void {
  const names = bodies.map((body) => body.name)
  const system: StarSystem = {
    id,
    name,
    position: [position.x, position.y, position.z],
    bodies: bodies.map((body) => ({
      name: body.name,
      parent: names.indexOf(body.parent_body ?? ''),
      gm: body.gm,
      radius: body.radius,
      ...(body.pole && {
        oblateness: {
          referenceRadius: body.reference_radius ?? body.radius,
          j2: body.j2 ?? 0,
          ...(body.j4 !== null && { j4: body.j4 }),
          pole: [body.pole.x, body.pole.y, body.pole.z],
        },
      }),
    })),
  }
  const start = createMassiveState(names.length)
  start.node = node
  for (const state of states.bodies) {
    const at = 3 * names.indexOf(state.name)
    start.x.set([state.position.x, state.position.y, state.position.z], at)
    start.v.set([state.velocity.x, state.velocity.y, state.velocity.z], at)
  }
  scene.enter(system)
  scene.bodies?.anchor(start)
}

function takeShips(
  scene: Scene,
  numbers: Map<string, number>,
  { ships }: TickMessage,
  index: number,
): void {
  const { bodies, received } = scene
  const seen = new Set<number>()
  for (const ship of ships) {
    const reference = bodies?.indexOf(ship.reference_body)
    if (reference === undefined) continue
    const number = numbers.get(ship.ship_id) ?? numbers.size + 1
    numbers.set(ship.ship_id, number)
    seen.add(number)
    const row = scene.rowOf(number)
    scene.identify(row, { id: ship.ship_id, name: ship.name, shipClass: ship.ship_class })
    const { x, y, z } = ship.relative_position
    const pull = -bodies!.system.bodies[reference].gm / Math.hypot(x, y, z) ** 3
    const arc = received.arcs.begin(row, index)
    const { values } = received.arcs
    // Only the state at the start is known.
    values[arc + ARC.end] = index - 1
    values[arc + ARC.reference] = reference
    values.set([x, y, z], arc + ARC.r0)
    const { relative_velocity: v, attitude: q, angular_velocity: w, wheel_saturation: s } = ship
    values.set([v.x, v.y, v.z, pull * x, pull * y, pull * z], arc + ARC.v0)
    const before = received.hulls.kept[row] > 0 ? received.hulls.last(row) : undefined
    const { thrustLevel } = RECEIVED_HULL
    const isSame =
      before !== undefined && received.hulls.values[before + thrustLevel] === ship.thrust_level
    if (!isSame) scene.noteChange(row)
    const hull = received.hulls.begin(row, index)
    const engine = [index, ship.fuel, 0, q.w, q.x, q.y, q.z, w.x, w.y, w.z, s.x, s.y, s.z]
    received.hulls.values.set(engine, hull)
    received.hulls.values.set([ship.thrust_level, FLYING, FREE, 0, 0, -1], hull + thrustLevel)
  }
  for (let row = received.count - 1; row >= 0; row--) {
    if (!seen.has(scene.ships()[row].number)) scene.remove(row)
  }
  scene.inView = ships.length
  scene.announce()
}
