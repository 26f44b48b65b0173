import type { Engine, EngineStatus, JumpgateView, StationView } from '@orrery/engine'
import type { JumpgateState, StationState, TickMessage } from '@orrery/protocol'
import { jumpgateState, pilotState, shipState, stationState } from '../views/wire-views.ts'
import { type ShipTree, createShipTree } from './ship-tree.ts'
import type { Subscription } from './subscription.ts'

/** Ships one client is sent at most, the nearest ones. */
export const SHIPS_IN_VIEW_MAX = 256

/** A client that is sent frames, and how much of the world they contain. */
export interface Viewer {
  /** `""` without a ship */
  readonly shipId: string
  /** the star system an observer looks at; undefined for players, who see their ship's */
  readonly watched: string | undefined
  readonly subscription: Subscription
}

/** One message of a tick, for one viewer. */
export interface Frame {
  readonly isBinary: boolean
  readonly byteLength: number
  /** its bytes in order; other frames share them */
  readonly pieces: readonly Uint8Array[]
}

/** One tick's frames: each ship is encoded once, what only its pilot sees for the pilot. */
export interface TickFrames {
  frame(viewer: Viewer): Frame
}

/** The stations and jump gates of a star system. */
export interface SystemObjects {
  readonly stations: readonly StationState[]
  readonly jumpgates: readonly JumpgateState[]
}

/** Reads the objects of the published world at the first call; use it while no tick runs. */
export function systemObjects(
  engine: Pick<Engine, 'stations' | 'jumpgates'>,
): (systemId: string) => SystemObjects {
  let stations: StationView[] | undefined
  let jumpgates: JumpgateView[] | undefined
  return (systemId) => ({
    stations: (stations ??= engine.stations())
      .filter((view) => view.systemId === systemId)
      .map(stationState),
    jumpgates: (jumpgates ??= engine.jumpgates())
      .filter((view) => view.systemId === systemId)
      .map(jumpgateState),
  })
}

type Fleet = NonNullable<ReturnType<ReturnType<Engine['sky']>['fleets']['get']>>

export interface TickFramesOptions {
  readonly status: EngineStatus
  readonly era: number
  /** wall time since the tick [s]; left out with the tick itself */
  readonly age?: number
  readonly sky: ReturnType<Engine['sky']>
  readonly objects: (systemId: string) => SystemObjects
}

/** The frames of the world as published; make those that are needed while no tick runs. */
export function tickFrames(options: TickFramesOptions): TickFrames {
  const { sky } = options
  const scenes = new Map<string, Scene>()
  const scene = (fleet: Fleet): Scene => {
    const known = scenes.get(fleet.systemId)
    if (known) return known
    const made = createScene(fleet, frameHead(options, fleet.systemId))
    scenes.set(fleet.systemId, made)
    return made
  }
  let nothing: Frame | undefined
  return {
    frame: ({ shipId, watched, subscription }) => {
      if (watched !== undefined) {
        const fleet = sky.fleets.get(watched)
        if (fleet) return scene(fleet).frame(-1, subscription)
      }
      const fleet = sky.fleetOf(shipId)
      if (fleet) return scene(fleet).frame(fleet.indexOf(shipId), subscription)
      return (nothing ??= createFrame([frameHead(options, undefined), FRAME_TAIL]))
    },
  }
}

const FRAME_TAIL = Buffer.from(']}')

/** The part of a tick message before its ships. */
function frameHead(
  { status, era, age, objects, sky }: TickFramesOptions,
  systemId: string | undefined,
): Buffer {
  const { stations, jumpgates } =
    systemId === undefined ? { stations: [], jumpgates: [] } : objects(systemId)
  const message: Omit<TickMessage, 'ships'> = {
    type: 'tick',
    era,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
    index: (systemId === undefined ? undefined : sky.fleets.get(systemId)?.index) ?? sky.index,
    offset: sky.offset,
    ...(age !== undefined && { age }),
    effective_time_scale: status.effectiveTimeScale,
    stations,
    jumpgates,
  }
  return Buffer.from(`${JSON.stringify(message).slice(0, -1)},"ships":[`)
}

/** One star system in one tick. */
interface Scene {
  /** @param own  index of the viewer's own ship; -1 for an observer */
  frame(own: number, subscription: Subscription): Frame
}

/** A ship ends with a brace and a comma; the last one has no comma. */
const SHIP_TAIL = Buffer.from('},')

function createScene(fleet: Fleet, head: Buffer): Scene {
  const encoded: (Buffer | undefined)[] = []
  const encode = (ship: number): Buffer =>
    (encoded[ship] ??= Buffer.from(`${JSON.stringify(shipState(fleet.view(ship)))},`))
  const pilotFields = (own: number): Buffer =>
    Buffer.from(`,${JSON.stringify(pilotState(fleet.pilotView(own))).slice(1, -1)}`)
  const piecesOf = (members: Iterable<number>, own: number): Buffer[] => {
    const pieces = [head]
    for (const member of members) {
      const ship = encode(member)
      if (member !== own) pieces.push(ship)
      else pieces.push(ship.subarray(0, -SHIP_TAIL.length), pilotFields(own), SHIP_TAIL)
    }
    const last = pieces.length - 1
    if (last > 0) pieces[last] = pieces[last].subarray(0, -1)
    pieces.push(FRAME_TAIL)
    return pieces
  }
  let whole: Buffer | undefined
  const wholePieces = (own: number): Buffer[] => {
    whole ??= Buffer.concat(piecesOf(fleet.ships.keys(), -1))
    if (own < 0) return [whole]
    let place = head.length - SHIP_TAIL.length
    for (let ship = 0; ship <= own; ship++) place += encode(ship).length
    return [whole.subarray(0, place), pilotFields(own), whole.subarray(place)]
  }
  const select = createSelection(fleet)
  return {
    frame: (own, subscription) => {
      const { radius, ids } = subscription
      const isWhole =
        radius === undefined && ids === undefined && fleet.ships.length <= SHIPS_IN_VIEW_MAX
      return createFrame(isWhole ? wholePieces(own) : piecesOf(select(own, subscription), own))
    },
  }
}

/** A function of its own: a frame that waits must not keep all of its tick. */
function createFrame(pieces: readonly Buffer[]): Frame {
  let byteLength = 0
  for (const piece of pieces) byteLength += piece.length
  return { isBinary: false, byteLength, pieces }
}

/** Selects the ships a viewer sees, as indices of the fleet in rising order. */
function createSelection(fleet: Fleet): (own: number, subscription: Subscription) => Uint32Array {
  const found = new Uint32Array(SHIPS_IN_VIEW_MAX)
  let tree: ShipTree | undefined
  return (own, { radius, ids }) => {
    const most = own < 0 ? SHIPS_IN_VIEW_MAX : SHIPS_IN_VIEW_MAX - 1
    let count = 0
    if (ids !== undefined) {
      for (const id of ids) {
        const ship = fleet.indexOf(id)
        if (ship < 0 || ship === own) continue
        if (radius !== undefined && distance(fleet.positions(), own, ship) > radius) continue
        found[count++] = ship
        if (count === most) break
      }
    } else if (own >= 0) {
      tree ??= createShipTree(fleet.positions())
      count = tree.nearest(found, own, most, radius ?? Infinity)
    } else {
      while (count < Math.min(most, fleet.ships.length)) found[count] = count++
    }
    if (own >= 0) found[count++] = own
    return found.subarray(0, count).toSorted()
  }
}

function distance(positions: Float64Array, a: number, b: number): number {
  const dx = positions[3 * a] - positions[3 * b]
  const dy = positions[3 * a + 1] - positions[3 * b + 1]
  const dz = positions[3 * a + 2] - positions[3 * b + 2]
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}
