import type { BusMetrics } from '@orrery/bus'
import type { Engine, EngineStatus, Preflight } from '@orrery/engine'
import type { JournalMetrics, PlayerCounters } from '@orrery/game'
import { VERSION } from '@orrery/http'
import type { HostClock } from '@orrery/store'
import type { SocketMetrics } from '../connection/socket-metrics.ts'
import type { StorageReading } from './storage-watch.ts'

/** The state of all parts of the server at one moment. */
export interface Reading {
  readonly status: EngineStatus
  readonly engine: ReturnType<Engine['metrics']>
  readonly sockets: SocketMetrics
  readonly players: Readonly<PlayerCounters>
  readonly passwordsWaiting: number
  /** accounts that never flew, since the start */
  readonly accountsRemoved: number
  readonly preflight: Preflight['counts']
  readonly journal: JournalMetrics
  readonly storage: StorageReading
  /** events of maneuvers that are being written */
  readonly maneuverEvents: { readonly waiting: number; readonly dropped: number }
  readonly bus: BusMetrics | undefined
  readonly hostClock: HostClock | undefined
}

/** One value, or one for each value of the metric's label. */
export type Values = number | readonly (readonly [string, number])[]

/** A metric that is read at a scrape. */
export interface Reader {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  readonly label?: string
  readonly read: (reading: Reading) => Values
}

const clock: readonly Reader[] = [
  gauge('tick_rate_hertz', 'Ticks per second in force', ({ status }) => status.tickRate),
  gauge(
    'tick_rate_actual_hertz',
    'Ticks per second as they really came; 0 while paused',
    ({ status }) => status.actualRate,
  ),
  gauge(
    'time_scale_ratio',
    'Game seconds per second in force',
    ({ status }) => status.effectiveTimeScale,
  ),
  gauge('time_drift_seconds', 'Game time minus UTC', ({ status }) => status.timeDriftSeconds),
  gauge(
    'clock_offset_seconds',
    "Clock of this machine minus that of the database's; without a sample where both are one",
    ({ hostClock }) => hostClock?.clockOffset ?? [],
  ),
  gauge(
    'utilisation_ratio',
    'Share of the tick period spent working, over the last ticks',
    ({ status }) => status.utilisation,
  ),
  gauge('ticks_behind', 'Ticks due and not run', ({ status }) => status.ticksBehind),
  counter(
    'ticks_dropped_total',
    'Ticks given up because they came too late; their game time is lost',
    ({ status }) => status.ticksDropped,
  ),
  counter(
    'ticks_unshown_total',
    'Ticks shown only with a later one, since that ran before they were durable',
    ({ engine }) => engine.ticksUnshown,
  ),
  gauge('paused', '1 while an operator holds game time', ({ status }) => Number(status.paused)),
  gauge('faulted', '1 when a tick broke; nothing ticks until somebody resumes', ({ status }) =>
    Number(status.faulted),
  ),
  gauge('overloaded', '1 when no tick rate would do', ({ status }) => Number(status.overloaded)),
]

const physics: readonly Reader[] = [
  drift('energy_drift_ratio', 'Relative residual of energy', ({ energy }) => energy),
  drift('momentum_drift_ratio', 'Relative residual of momentum', ({ momentum }) => momentum),
  drift(
    'energy_drift_per_day',
    'Change of the residual of energy per day of game time',
    ({ energyPerDay }) => energyPerDay,
  ),
  drift(
    'momentum_drift_per_day',
    'Change of the residual of momentum per day of game time',
    ({ momentumPerDay }) => momentumPerDay,
  ),
  drift(
    'barycentre_speed_meters_per_second',
    "Change of the barycentre's velocity since the world was loaded",
    ({ barycentreSpeed }) => barycentreSpeed,
  ),
  gauge('ships', 'Ships in the world', ({ status }) => status.ships),
  gauge('ships_max', 'Ships there may be', ({ status }) => status.shipsMax),
  gauge(
    'ships_frozen',
    'Ships that stand still because their numbers broke',
    ({ engine }) => engine.frozenShips,
  ),
  counter(
    'events_lost_total',
    'Events of ships that found no room in their tick',
    ({ status }) => status.eventsLost,
  ),
  gauge(
    'commands_pending',
    'Control commands that wait for their moment',
    ({ engine }) => engine.commandsPending,
  ),
  counter(
    'orders_flown_ahead_total',
    'Orders by what became of them when they were flown ahead, or were to be',
    ({ preflight }) => sorted(preflightCounts(preflight)),
    'outcome',
  ),
  gauge(
    'maneuver_events_waiting',
    'Events of maneuvers that are not written yet; beyond 10,000 they are dropped',
    ({ maneuverEvents }) => maneuverEvents.waiting,
  ),
  counter(
    'maneuver_events_dropped_total',
    'Events of maneuvers that were not written',
    ({ maneuverEvents }) => maneuverEvents.dropped,
  ),
  counter(
    'canary_checks_total',
    'Chunks of ships flown a second time by the other kernel',
    ({ engine }) => engine.canary.checks,
  ),
  counter(
    'canary_mismatches_total',
    'Chunks whose two flights differ in a bit; must stay 0',
    ({ engine }) => engine.canary.mismatches,
  ),
  gauge('workers', 'Worker threads that are running', ({ engine }) => engine.workers.threads),
  counter(
    'worker_failures_total',
    'Workers that threw, ended or stood still',
    ({ engine }) => engine.workers.failures,
  ),
  counter(
    'worker_busy_seconds_total',
    'What all workers have worked',
    ({ engine }) => engine.workers.busyMs / 1000,
  ),
]

const clients: readonly Reader[] = [
  gauge('players_online', 'Players with a socket', ({ sockets }) => sockets.players),
  gauge('observers_online', 'Sockets of admins who look on', ({ sockets }) => sockets.observers),
  gauge(
    'socket_seats',
    'Places taken by sockets, also while they are opened and closed',
    ({ sockets }) => sockets.seats,
  ),
  gauge(
    'socket_queued_bytes',
    'Bytes that wait for clients to read',
    ({ sockets }) => sockets.bytesQueued,
  ),
  counter(
    'socket_sent_bytes_total',
    'Bytes sent to sockets, framing left out',
    ({ sockets }) => byWire(sockets, 'bytesSent'),
    'wire',
  ),
  counter(
    'frames_sent_total',
    'Frames sent',
    ({ sockets }) => byWire(sockets, 'framesSent'),
    'wire',
  ),
  counter(
    'frames_dropped_total',
    'Frames replaced by a later one because the client was slow',
    ({ sockets }) => sockets.wires.json.framesDropped,
  ),
  counter('messages_taken_total', 'Messages read', ({ sockets }) => sockets.messagesTaken),
  counter(
    'messages_refused_total',
    'Messages over the limit, unread',
    ({ sockets }) => sockets.messagesRefused,
  ),
  counter(
    'sockets_closed_total',
    'Sockets closed',
    ({ sockets }) => sorted(sockets.closed),
    'reason',
  ),
  counter(
    'handshakes_refused_total',
    'Sockets refused before they were open, by error code',
    ({ sockets }) => sorted(sockets.handshakesRefused),
    'code',
  ),
  counter(
    'talk_messages_total',
    'Texts between pilots, by hearer: sent, or dropped beyond what one pilot hears',
    ({ sockets }) => sorted(sockets.talk),
    'outcome',
  ),
  counter('registrations_total', 'Accounts players made', ({ players }) => players.registrations),
  counter(
    'unflown_accounts_removed_total',
    'Accounts removed because they never flew and were not used for long',
    ({ accountsRemoved }) => accountsRemoved,
  ),
  counter(
    'logins_failed_total',
    'Logins with a wrong name, password or role',
    ({ players }) => players.loginsFailed,
  ),
  counter(
    'logins_refused_total',
    'Logins over the limit per address',
    ({ players }) => players.loginsRefused,
  ),
  gauge(
    'passwords_waiting',
    'Passwords that wait to be hashed, with the one at work; 64 of each kind may wait',
    ({ passwordsWaiting }) => passwordsWaiting,
  ),
]

const journal: readonly Reader[] = [
  gauge(
    'journal_lag_rows',
    'Commands acted on that are not durable yet',
    ({ journal: own }) => own.lagRows,
  ),
  gauge(
    'journal_lag_seconds',
    'Age of the oldest command that is not durable; above 2 no more are taken',
    ({ journal: own }) => own.lagSeconds,
  ),
  gauge(
    'journal_batch_seconds',
    'Wall time of the last batch of commands, until it was durable',
    ({ journal: own }) => own.lastBatchMs / 1000,
  ),
  counter('journal_rows_total', 'Commands that became durable', ({ journal: own }) => own.rows),
  counter(
    'journal_batches_total',
    'Batches of commands, and clocks alone, that became durable',
    ({ journal: own }) => own.batches,
  ),
  counter(
    'journal_failures_total',
    'Attempts to write a batch that failed; each is made again',
    ({ journal: own }) => own.failures,
  ),
  gauge(
    'systems_stopped',
    'Star systems that take no commands, since one of theirs cannot be kept',
    ({ journal: own }) => own.stopped.length,
  ),
]

const storage: readonly Reader[] = [
  gauge(
    'disk_free_bytes',
    'Space that is free for the server where DATA_DIR is',
    ({ storage: { freeBytes } }) => freeBytes ?? [],
  ),
  gauge(
    'database_bytes',
    'Space that the database takes on its disk',
    ({ storage: { databaseBytes } }) => databaseBytes ?? [],
  ),
  counter(
    'database_written_bytes_total',
    'What PostgreSQL has written ahead since its server was made',
    ({ storage: { writtenBytes } }) => writtenBytes ?? [],
  ),
  gauge(
    'backup_age_seconds',
    'Time since the newest backup, by what made it',
    ({ storage: { backupAges = [] } }) =>
      backupAges.map(({ reason, seconds }) => [reason, seconds] as const),
    'reason',
  ),
  gauge('build_info', 'The version of the server; always 1', () => [[VERSION, 1]], 'version'),
]

/** Without samples where there is no bus. */
const bus: readonly Reader[] = [
  gauge('bus_connected', '1 while the bus is there', ({ bus: own }) =>
    own ? Number(own.connected) : [],
  ),
  gauge('bus_round_trip_seconds', 'Time that the last flush of the bus took', ({ bus: own }) =>
    own && !Number.isNaN(own.roundTripMs) ? own.roundTripMs / 1000 : [],
  ),
  counter(
    'bus_publications_dropped_total',
    'Publications that the bus did not take',
    ({ bus: own }) => own?.dropped ?? [],
  ),
  counter(
    'bus_reconnects_total',
    'Connections to the bus that were made again',
    ({ bus: own }) => own?.reconnects ?? [],
  ),
]

/** Without samples where there are no modules; star systems add up. */
const modules: readonly Reader[] = [
  ofModules(gauge, 'module_bytes', 'Memory of the columns and tables', ({ bytes }) => bytes),
  ofModules(
    counter,
    'module_calls_total',
    'Calls at full seconds of game time',
    ({ calls }) => calls,
  ),
  ofModules(
    counter,
    'module_seconds_total',
    'Wall time that those calls took',
    ({ seconds }) => seconds,
  ),
  ofModules(counter, 'module_breaks_total', 'Of those calls, broken ones', ({ breaks }) => breaks),
]

/** All that is read at a scrape. */
export const READERS: readonly Reader[] = [
  ...clock,
  ...physics,
  ...clients,
  ...journal,
  ...storage,
  ...bus,
  ...modules,
]

type ModuleCost = Reading['engine']['modules'][number]

function ofModules(
  make: typeof gauge,
  name: string,
  help: string,
  of: (cost: ModuleCost) => number,
): Reader {
  const read = ({ engine }: Reading): Values => engine.modules.map((cost) => [cost.id, of(cost)])
  return make(name, `${help}, per module`, read, 'module')
}

function gauge(name: string, help: string, read: Reader['read'], label?: string): Reader {
  return { name, help, kind: 'gauge', read, ...(label !== undefined && { label }) }
}

function counter(name: string, help: string, read: Reader['read'], label?: string): Reader {
  return { name, help, kind: 'counter', read, ...(label !== undefined && { label }) }
}

type Drift = ReturnType<Engine['metrics']>['systems'][number]

function drift(name: string, help: string, of: (drift: Drift) => number): Reader {
  const read = ({ engine }: Reading): Values =>
    engine.systems.map((system) => [system.systemId, of(system)])
  return { name, help: `${help}, per star system`, kind: 'gauge', label: 'system', read }
}

/** `late`: burnt or over by then; `unknown`: the end is too far, or depends on pilots. */
function preflightCounts({ noRoom, ...counts }: Reading['preflight']): Record<string, number> {
  return { ...counts, no_room: noRoom }
}

/** A count of what was sent, by wire. */
function byWire(
  { wires }: SocketMetrics,
  count: keyof SocketMetrics['wires']['json'],
): readonly (readonly [string, number])[] {
  return Object.entries(wires).map(([wire, traffic]) => [wire, traffic[count]])
}

function sorted(counts: Readonly<Record<string, number>>): Values {
  return Object.entries(counts).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
