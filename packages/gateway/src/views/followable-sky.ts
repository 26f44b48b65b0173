/** What guests see of a star system, read once a second for all of them. */
import { type ShipView, type StationView, worldNamed } from '@orrery/engine'
import { refusal } from '@orrery/game'
import type { SeenObject, SeenShip } from '@orrery/protocol'
import type { FollowConsents } from '@orrery/store'
import type { ServedEngine } from './served-engine.ts'
import { jumpgateState, shipState, stationState, vec3 } from './wire-views.ts'

/** An answer serves all guests for so long [ms]. */
export const GUEST_SKY_MS = 1000

/** Ships in one answer, the nearest ones. */
const SHIPS_MAX = 64

/** Ships that guests may see in all: of the players who allowed it last. */
const SEEN_MAX = 1000

/** Answers that are kept within a second. */
const KEPT_MAX = 64

type Triple = readonly [number, number, number]

/** A star system at one moment. */
interface Moment {
  /** of bodies by their names in lower case, of the rest by their ids; from the barycentre [m] */
  readonly places: ReadonlyMap<string, Triple>
  readonly home: string
  readonly ships: readonly ShipView[]
  /** of the answer, up to its ships */
  readonly head: string
  readonly kept: Map<string, string>
}

export interface GuestSkies {
  /**
   * JSON of a star system's sky with the ships that are nearest to something.
   *
   * @param near  name of a body, or the id of what else is there; the home body when left out
   * @throws {Refusal} 404 E006 for what no guest sees; 404 E002 for an unknown star system
   */
  read(systemId: string, near?: string): Promise<string>
}

interface GuestSkiesOptions {
  readonly engine: Pick<
    ServedEngine,
    'bodies' | 'jumpgates' | 'sky' | 'stations' | 'universe' | 'whenSettled'
  >
  readonly followConsents: Pick<FollowConsents, 'ships'>
  readonly nowMs: () => number
}

export function createGuestSkies({ engine, followConsents, nowMs }: GuestSkiesOptions): GuestSkies {
  const seenIds = forSeconds(() => followConsents.ships(SEEN_MAX), nowMs)
  const moments = new Map<string, () => Promise<Moment>>()
  const momentOf = (systemId: string): Promise<Moment> => {
    const known =
      moments.get(systemId) ??
      forSeconds(async () => {
        const ids = await seenIds()
        return engine.whenSettled(() => momentIn(engine, systemId, ids))
      }, nowMs)
    moments.set(systemId, known)
    return known()
  }
  return {
    read: async (systemId, near) => {
      // What is unknown must not be kept.
      worldNamed(engine.universe, systemId)
      const moment = await momentOf(systemId)
      const key = near?.toLowerCase() ?? moment.home
      const place = moment.places.get(key)
      if (!place) throw refusal('E006', 'Nothing of this name is there, or guests do not see it')
      const text = moment.kept.get(key) ?? answerNear(moment, place)
      if (moment.kept.size < KEPT_MAX) moment.kept.set(key, text)
      return text
    },
  }
}

/** Reads something once for all who ask within a second. */
function forSeconds<Value>(read: () => Promise<Value>, nowMs: () => number): () => Promise<Value> {
  let known: Promise<Value> | undefined
  let untilMs = -Infinity
  return () => {
    if (known && nowMs() < untilMs) return known
    untilMs = nowMs() + GUEST_SKY_MS
    const asked = read()
    known = asked
    asked.catch(() => {
      if (known === asked) known = undefined
    })
    return asked
  }
}

/** To be called while no tick runs. */
function momentIn(
  engine: GuestSkiesOptions['engine'],
  systemId: string,
  ids: readonly string[],
): Moment {
  const { setup } = worldNamed(engine.universe, systemId)
  const { bodies, unixMs } = engine.bodies(systemId)
  const fleet = engine.sky().fleets.get(systemId)
  const ships = ids.flatMap((id) => {
    const index = fleet?.indexOf(id) ?? -1
    return fleet && index >= 0 ? [fleet.view(index)] : []
  })
  const isHere = (view: { readonly systemId: string }): boolean => view.systemId === systemId
  const stations = engine.stations().filter(isHere)
  const gates = engine.jumpgates().filter(isHere)
  const places = new Map<string, Triple>()
  for (const { name, position } of bodies) places.set(name.toLowerCase(), position)
  for (const { stationId, position } of stations) places.set(stationId, position)
  for (const { jumpgateId, position } of gates) places.set(jumpgateId, position)
  for (const { shipId, position } of ships) places.set(shipId, position)
  const seen = (
    view: Pick<StationView, 'parentBody' | 'position' | 'velocity'>,
    named: Pick<SeenObject, 'kind' | 'name' | 'object_id' | 'radius'>,
  ): SeenObject => {
    const parent = bodies.find(({ name }) => name === view.parentBody) ?? bodies[0]
    return {
      ...named,
      parent_body: view.parentBody,
      relative_position: difference(view.position, parent.position),
      relative_velocity: difference(view.velocity, parent.velocity),
    }
  }
  const objects = [
    ...stations.map((view) => {
      const { station_id: id, name, radius } = stationState(view)
      return seen(view, { kind: 'station', object_id: id, name, radius })
    }),
    ...gates.map((view) => {
      const { jumpgate_id: id, name, radius } = jumpgateState(view)
      return seen(view, { kind: 'jumpgate', object_id: id, name, radius })
    }),
  ]
  const gameTime = new Date(unixMs).toISOString()
  const head = `{"game_time":"${gameTime}","objects":${JSON.stringify(objects)},"ships":`
  const home = bodies[setup.system.territory.home].name.toLowerCase()
  return { places, home, ships, head, kept: new Map() }
}

function difference([x, y, z]: Triple, [a, b, c]: Triple): SeenObject['relative_position'] {
  return vec3([x - a, y - b, z - c])
}

function answerNear({ head, ships }: Moment, place: Triple): string {
  const far = ({ position }: ShipView): number =>
    position.reduce((sum, value, axis) => sum + (value - place[axis]) ** 2, 0)
  const nearest = ships
    .map((view) => ({ view, square: far(view) }))
    .toSorted((a, b) => a.square - b.square)
    .slice(0, SHIPS_MAX)
  return `${head}${JSON.stringify(nearest.map(({ view }) => seenShip(view)))}}`
}

function seenShip(view: ShipView): SeenShip {
  const state = shipState(view)
  return {
    ship_id: state.ship_id,
    name: state.name,
    ship_class: state.ship_class,
    reference_body: state.reference_body,
    relative_position: state.relative_position,
    relative_velocity: state.relative_velocity,
    attitude: state.attitude,
    thrust_level: state.thrust_level,
  }
}
