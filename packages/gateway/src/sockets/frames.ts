import type { Engine, EngineStatus, Fleet, JumpgateView, Sky, StationView } from '@orrery/engine'
import type { JumpgateState, StationState, TickMessage } from '@orrery/protocol'
import { jumpgateState, pilotState, shipState, stationState } from '../wire-views.ts'
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

/** One message of a tick. It keeps no bytes of its own until several viewers need them. */
export interface Frame {
  readonly byteLength: number
  /** whether several viewers get it, so that its bytes are worth keeping */
  readonly isShared: boolean
  /** the message, kept for further calls */
  bytes(): Buffer
  /** writes the message to the beginning of a buffer with room for it */
  writeTo(out: Buffer): void
}

/**
 * One tick's frames: each ship is encoded once, and viewers of the same ships share the bytes; a
 * pilot's own ship then gets what its pilot alone sees.
 */
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

export interface TickFramesOptions {
  readonly status: EngineStatus
  readonly era: number
  readonly sky: Sky
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
      return (nothing ??= createFrame([frameHead(options, undefined)], { isShared: true }))
    },
  }
}

const FRAME_TAIL = Buffer.from(']}')

/** The part of a tick message before its ships. */
function frameHead(
  { status, era, objects }: TickFramesOptions,
  systemId: string | undefined,
): Buffer {
  const { stations, jumpgates } =
    systemId === undefined ? { stations: [], jumpgates: [] } : objects(systemId)
  const message: Omit<TickMessage, 'ships'> = {
    type: 'tick',
    era,
    tick: status.tick,
    game_time: new Date(status.gameTimeMs).toISOString(),
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

/** A frame, and the ships in it. */
interface Selection {
  readonly members: Uint32Array
  readonly frame: Mutable<Frame>
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

function createScene(fleet: Fleet, head: Buffer): Scene {
  const encoded: (Buffer | undefined)[] = []
  const encode = (ship: number): Buffer =>
    (encoded[ship] ??= Buffer.from(`${JSON.stringify(shipState(fleet.view(ship)))},`))
  const partsOf = (members: Iterable<number>): Buffer[] => {
    const parts = [head]
    for (const member of members) parts.push(encode(member))
    return parts
  }
  const selections = new Map<number, Selection[]>()
  const frameOf = (members: Uint32Array): Frame => {
    const key = hash(members)
    const alike = selections.get(key)
    const known = alike?.find((selection) => areEqual(selection.members, members))
    if (known) {
      known.frame.isShared = true
      return known.frame
    }
    const frame = createFrame(partsOf(members), { isShared: false })
    if (alike) alike.push({ members, frame })
    else selections.set(key, [{ members, frame }])
    return frame
  }
  let whole: Frame | undefined
  const select = createSelection(fleet)
  const framed = (own: number, subscription: Subscription): [Iterable<number>, Frame] => {
    const { radius, ids } = subscription
    if (radius === undefined && ids === undefined && fleet.ships.length <= SHIPS_IN_VIEW_MAX) {
      whole ??= createFrame(partsOf(fleet.ships.keys()), { isShared: true })
      return [fleet.ships.keys(), whole]
    }
    const members = select(own, subscription)
    return [members, frameOf(members)]
  }
  return {
    frame: (own, subscription) => {
      const [members, frame] = framed(own, subscription)
      if (own < 0) return frame
      let end = head.length
      for (const member of members) {
        end += encode(member).length
        if (member === own) break
      }
      const more = Buffer.from(`,${JSON.stringify(pilotState(fleet.pilotView(own))).slice(1, -1)}`)
      return pilotFrame(frame, end - RECORD_TAIL_BYTES, more)
    },
  }
}

/** A ship ends with a brace and a comma. */
const RECORD_TAIL_BYTES = 2

/** A frame with more bytes in one place, for one viewer. */
function pilotFrame(frame: Frame, place: number, more: Buffer): Frame {
  const byteLength = frame.byteLength + more.length
  const writeTo = (out: Buffer): void => {
    if (frame.isShared) out.set(frame.bytes())
    else frame.writeTo(out)
    out.copyWithin(place + more.length, place, frame.byteLength)
    out.set(more, place)
  }
  return {
    byteLength,
    isShared: false,
    writeTo,
    bytes: () => {
      const bytes = Buffer.allocUnsafeSlow(byteLength)
      writeTo(bytes)
      return bytes
    },
  }
}

/**
 * A message from its head and its ships, each of which ends with a comma. A function of its own:
 * a kept frame must not keep all of its tick.
 */
function createFrame(
  parts: readonly Buffer[],
  { isShared }: { isShared: boolean },
): Mutable<Frame> {
  let byteLength = FRAME_TAIL.length
  for (const part of parts) byteLength += part.length
  const isEmpty = parts.length === 1
  if (!isEmpty) byteLength--
  let kept: Buffer | undefined
  const writeTo = (out: Buffer): void => {
    let at = 0
    for (const part of parts) {
      out.set(part, at)
      at += part.length
    }
    out.set(FRAME_TAIL, isEmpty ? at : at - 1)
  }
  return {
    byteLength,
    isShared,
    writeTo,
    bytes: () => {
      if (!kept) writeTo((kept = Buffer.allocUnsafeSlow(byteLength)))
      return kept
    },
  }
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

/** FNV-1a over whole indices. */
function hash(members: Uint32Array): number {
  let sum = 0x811c9dc5
  for (const member of members) sum = Math.imul(sum ^ member, 0x01000193)
  return sum
}

function areEqual(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
