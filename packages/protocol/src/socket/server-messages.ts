import type { EventKind, Rail, StarSystem } from '@orrery/sim'
import type { ModuleValues } from '../bodies/modules.ts'
import type { ShipClassEntry } from '../bodies/ship-classes.ts'
import type { ErrorCode, ModuleRefusal } from '../errors.ts'
import type { FailureReason } from '../failure-reason.ts'
import type { FrameBlock } from '../frames/frame-blocks.ts'
import type { Subprotocol } from './handshake.ts'
import type { MessageId, Timestamp, Uuid } from '../identifiers.ts'
import type { PredictionMessage } from '../orders/predictions.ts'
import type { RuleDeletedMessage, RuleMessage, RulesMessage } from '../orders/rules.ts'
import type { ShipState } from '../ship.ts'
import type { SaidMessage } from './talk.ts'
import type { VotedMessage, VotesMessage } from './votes.ts'
import type { Vec3 } from '../vector.ts'

/**
 * First message on every socket. `ship_id` is `""` without a ship, `system_id` the star system that
 * ticks show, `""` where none is; `observer` is there for an admin's token only, and true.
 */
export interface WelcomeMessage {
  readonly type: 'welcome'
  readonly protocol: Subprotocol
  readonly era: number
  readonly player_id: Uuid
  readonly ship_id: Uuid
  readonly system_id: string
  readonly observer?: true
  readonly server_name: string
  readonly tick: number
  readonly game_time: Timestamp
  readonly tick_rate: number
  readonly time_scale: number
  readonly effective_time_scale: number
  readonly paused: boolean
  /** wall time since `game_time` was shown [s]; 0 where it is absent, and while paused */
  readonly age?: number
  /** how binary frames are laid out; with `orrery.v1.binary` only */
  readonly frames?: readonly FrameBlock[]
}

/** A station: position [m] and velocity [m/s] from the system's barycentre, radius [m]. */
export interface StationState {
  readonly station_id: Uuid
  readonly name: string
  readonly parent_body: string
  readonly position: Vec3
  readonly velocity: Vec3
  readonly radius: number
}

/** A jump gate: position [m] and velocity [m/s] from the system's barycentre, radius [m]. */
export interface JumpgateState {
  readonly jumpgate_id: Uuid
  readonly name: string
  readonly parent_body: string
  readonly position: Vec3
  readonly velocity: Vec3
  readonly radius: number
}

/** The system of the receiver at the end of a tick. */
export interface TickMessage {
  readonly type: 'tick'
  readonly era: number
  readonly tick: number
  /** cut to whole milliseconds */
  readonly game_time: Timestamp
  /** lattice index of `game_time`, and the part of a quantum (0 up to 1) past it: exact */
  readonly index: number
  readonly offset: number
  /** wall time since `game_time` was shown [s]; absent in frames that come with a tick */
  readonly age?: number
  readonly effective_time_scale: number
  readonly ships: readonly ShipState[]
  readonly stations: readonly StationState[]
  readonly jumpgates: readonly JumpgateState[]
}

/**
 * The star system that frames show from now on, with all that its massive bodies are integrated
 * from; on binary sockets, before its first frame.
 */
export interface SystemMessage {
  readonly type: 'system'
  readonly era: number
  /** as the core takes it: numbers are exact */
  readonly system: StarSystem
  /** index of the body whose low orbits ships start in */
  readonly home: number
  /** radius of each body's sphere of influence [m]; null without end, as of the first */
  readonly spheres: readonly (number | null)[]
  /** by the row that binary frames name; numbers are exact */
  readonly ship_classes: readonly ShipClassEntry[]
  /** version of the core: with another one, ships cannot be flown by the client */
  readonly physics: number
}

/** A station or a jump gate with what it runs on; what it needs is known for all time. */
export interface RailedObject {
  readonly id: Uuid
  readonly kind: 'station' | 'jumpgate'
  readonly name: string
  /** [m] */
  readonly radius: number
  /** of the core's table */
  readonly row: number
  readonly rail: Rail
}

/** All stations and jump gates of the star system; on binary sockets, at first and on a change. */
export interface ObjectsMessage {
  readonly type: 'objects'
  readonly system_id: string
  readonly objects: readonly RailedObject[]
  /** rows of modules that are on rails, which orders name like stations; absent without any */
  readonly rows?: readonly Pick<RailedObject, 'id' | 'name' | 'row' | 'rail'>[]
}

/** The world is paused after this tick. */
export interface PausedMessage {
  readonly type: 'paused'
  readonly tick: number
  readonly game_time: Timestamp
}

/** The world runs again after this tick. */
export interface ResumedMessage {
  readonly type: 'resumed'
  readonly tick: number
  readonly game_time: Timestamp
}

/** How game time runs from now on; rates [Hz], scales [game seconds per second]. */
export interface ClockMessage {
  readonly type: 'clock'
  readonly tick_rate: number
  readonly time_scale: number
  readonly effective_time_scale: number
  readonly paused: boolean
  readonly game_time: Timestamp
  /** wall time since `game_time` was shown [s]; 0 where it is absent, and while paused */
  readonly age?: number
}

/** The world is an earlier one again; all that was known of it is void. */
export interface RestoredMessage {
  readonly type: 'restored'
  readonly era: number
  readonly tick: number
  readonly game_time: Timestamp
}

/** The world is a new one, without ships and accounts. */
export interface ResetMessage {
  readonly type: 'reset'
  readonly era: number
  readonly tick: number
  readonly game_time: Timestamp
}

/** The receiver's ship from now on is another one; `""` when there is none any more. */
export interface ShipAssignedMessage {
  readonly type: 'ship_assigned'
  readonly ship_id: Uuid
}

/** What a module keeps of one's own ship. */
export interface OwnModuleRow {
  readonly module: string
  readonly version: number
  /** that it gives the ship to carry [kg] */
  readonly mass: number
  /** part of its thrust that it leaves the ship, 0 to 1 */
  readonly thrust: number
  /** of its columns; absent where the client does not run it, or it has stopped */
  readonly values?: ModuleValues
}

/**
 * What modules keep of one's own ship, before each seed and check of the same index, for a client
 * that runs some of them.
 */
export interface ShipModulesMessage {
  readonly type: 'ship_modules'
  /** lattice index */
  readonly index: number
  /** all of the star system, in the order in which they act */
  readonly modules: readonly OwnModuleRow[]
}

/** What ticks are narrowed to from now on; fields as they were requested. */
export interface SubscribedMessage {
  readonly type: 'subscribed'
  readonly id?: MessageId
  readonly radius?: number
  readonly ids?: readonly Uuid[]
  readonly rate?: number
  readonly system_id?: string
  readonly budget?: number
}

/**
 * Answer to a resume: era now, the published tick, and `gap` ticks between it and the one seen
 * last. `valid` is whether that one belongs to this era: if not, all known is void and gap 0.
 */
export interface ResumedSessionMessage {
  readonly type: 'resumed_session'
  readonly id?: MessageId
  readonly era: number
  readonly tick: number
  readonly gap: number
  readonly valid: boolean
}

/** The rename has acted; the name is the one that all clients now see. */
export interface ShipRenamedMessage {
  readonly type: 'ship_renamed'
  readonly id?: MessageId
  readonly name: string
}

/** A command that carried an id is taken; it acts at `game_time`. */
export interface AcceptedMessage {
  readonly type: 'accepted'
  readonly id: MessageId
  readonly game_time: Timestamp
  /** lattice index at which it acts, when the command had an `at` */
  readonly index?: number
}

/** Something happened to the receiver's ship. */
export interface EventMessage {
  readonly type: 'event'
  /**
   * `jumped`: through a gate; `transferred`: moved to another star system by an operator;
   * `altered`: another class, fuel or place was given to it; `returned`: it could not arrive in
   * another star system; `rules_dropped`: it arrived without rules that name what is elsewhere;
   * `module`: an event of a module's own, or its `rule_refused` or `rule_disarmed`
   */
  readonly event:
    | EventKind
    | 'jumped'
    | 'transferred'
    | 'altered'
    | 'returned'
    | 'rules_dropped'
    | 'module'
  readonly ship_id: Uuid
  readonly game_time: Timestamp
  /** the body it ran into, or the one it is near */
  readonly body: string
  /** of a jump or transfer: ids of the star systems */
  readonly from_system?: string
  readonly to_system?: string
  /** that it docks at, or leaves */
  readonly station_id?: Uuid
  /** the rule that has fired, with event 'rule' */
  readonly rule_id?: Uuid
  readonly rule_name?: string
  /** the maneuver that it is about or has ended, its phase from now on and until now */
  readonly maneuver?: string
  readonly phase?: string
  readonly from_phase?: string
  /** why that maneuver has failed */
  readonly reason?: FailureReason
  /** the same in words, what the ship does in the phase, or a module's event */
  readonly status_text?: string
  /** with event 'module': its id, the name of its event, and values by their names */
  readonly module?: string
  readonly module_event?: string
  readonly data?: Readonly<Record<string, string | number | boolean | null>>
}

/** A message was not taken, or something concerns the whole socket (then without id). */
export interface ErrorMessage {
  readonly type: 'error'
  readonly id?: MessageId
  readonly code: ErrorCode
  readonly message: string
  /** of a command that a module refuses */
  readonly refusal?: ModuleRefusal
}

/** Answer to a ping; `server_time` [ms since 1970-01-01 UTC]. */
export interface PongMessage {
  readonly type: 'pong'
  readonly id?: MessageId
  readonly client_time?: number
  readonly server_time: number
}

/** The server stops; the socket is closed with 1001 next. */
export interface ShutdownMessage {
  readonly type: 'shutdown'
  readonly message: string
}

/** What the server can say. */
export type ServerMessage =
  | WelcomeMessage
  | TickMessage
  | SystemMessage
  | ObjectsMessage
  | PausedMessage
  | ResumedMessage
  | ClockMessage
  | RestoredMessage
  | ResetMessage
  | ShipAssignedMessage
  | ShipModulesMessage
  | SubscribedMessage
  | ResumedSessionMessage
  | ShipRenamedMessage
  | AcceptedMessage
  | EventMessage
  | ErrorMessage
  | PredictionMessage
  | PongMessage
  | ShutdownMessage
  | RulesMessage
  | RuleMessage
  | RuleDeletedMessage
  | SaidMessage
  | VotedMessage
  | VotesMessage

/**
 * The text of a message, `type` first, so that a reader can identify a message by its first bytes.
 * Numbers in it must be finite: JSON would make others null.
 */
export function encodeServerMessage(message: ServerMessage): string {
  const { type, ...rest } = message
  return JSON.stringify({ type, ...rest })
}
