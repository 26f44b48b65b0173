import type { Bus } from '@orrery/bus'
import type { Engine, Predictor, Preflight } from '@orrery/engine'
import type {
  AccountChanges,
  CommandExecution,
  ForeignIdentities,
  GameRecords,
  GivenShips,
  JournalWriter,
  ManeuverEventWriter,
  Passwords,
  Players,
  SerialQueue,
  WorldStorage,
} from '@orrery/game'
import type { Logger, WrongTokens } from '@orrery/http'
import type {
  Accounts,
  Actor,
  AuditTrail,
  Backups,
  FollowConsents,
  HostClock,
  HostRow,
  Journal,
  ManeuverEvents,
  ServiceAnswers,
  ServiceTokens,
  Settings,
} from '@orrery/store'
import type { Config } from './config.ts'
import type { EventStreams } from './operations/event-streams.ts'
import type { Load } from './operations/load.ts'
import type { Metrics } from './operations/metrics.ts'
import type { OwnPasswords } from './own-passwords.ts'
import type { StorageWatch } from './operations/storage-watch.ts'
import type { UnflownAccounts } from './operations/unflown-accounts.ts'
import type { SharedClock } from './hosting/shared-clock.ts'
import type { BuiltPage } from './page-files.ts'
import type { PastFlights } from './past/past-flights.ts'
import type { Sockets } from './sockets/sockets.ts'
import type { ServedEngine } from './views/served-engine.ts'

/** What is read of a world, that of another process too. */
export interface ReadingParts extends Pick<
  AppParts,
  'config' | 'ships' | 'predictor' | 'wrongTokens'
> {
  readonly engine: ServedEngine
  readonly followConsents: Pick<FollowConsents, 'ships'>
  readonly settings: Pick<Settings, 'timeSyncEnabled' | 'registrationOpen' | 'talkEnabled'>
  readonly players: Pick<Players, 'bearer'>
  readonly sockets: Pick<Sockets, 'online' | 'pilots'>
}

/** The parts of the game that routes use. */
export interface AppParts {
  readonly config: Config
  readonly engine: Engine
  readonly ships: Pick<GivenShips, 'newShips' | 'offers'>
  readonly predictor: Pick<Predictor, 'predict'>
  readonly preflight: Pick<Preflight, 'counts'>
  readonly players: Players
  readonly accounts: Pick<Accounts, 'byId' | 'list' | 'page' | 'admins'>
  readonly accountChanges: AccountChanges
  /** undefined where no one may sign in by another server */
  readonly foreignIdentities: ForeignIdentities | undefined
  readonly changeAccounts: GameRecords['changeAccounts']
  readonly serviceTokens: Pick<ServiceTokens, 'byHash' | 'list'>
  readonly serviceAnswers: Pick<ServiceAnswers, 'find' | 'keep'>
  readonly journal: Pick<Journal, 'hasActed'>
  /** carries out commands of gateways */
  readonly carryOut: CommandExecution
  readonly auditTrail: Pick<AuditTrail, 'list'>
  readonly followConsents: FollowConsents
  readonly backups: Pick<Backups, 'list'>
  readonly maneuverEvents: Pick<ManeuverEvents, 'after' | 'firstPlaces' | 'list'>
  readonly eventStreams: EventStreams
  readonly maneuverEventWriter: Pick<ManeuverEventWriter, 'waiting' | 'dropped'>
  readonly sockets: Pick<
    Sockets,
    | 'online'
    | 'isOnline'
    | 'pilots'
    | 'announce'
    | 'broadcast'
    | 'disconnect'
    | 'ordered'
    | 'shipChanged'
    | 'metrics'
    | 'paceVotes'
    | 'commandModule'
  >
  /** as they are now; changed by `changeSettings` only */
  readonly settings: Readonly<Settings>
  readonly changeSettings: (change: Partial<Settings>) => Promise<void>
  readonly isRegistrationOpen: () => Promise<boolean>
  readonly journalWriter: Pick<JournalWriter, 'durable' | 'metrics'>
  readonly worldStorage: Omit<WorldStorage, 'start' | 'stop'>
  /** runs operators' changes of clock and world one after the other */
  readonly controlQueue: SerialQueue
  readonly sharedClock: SharedClock
  readonly audit: (
    actor: Actor,
    action: string,
    detail: Readonly<Record<string, string | number | boolean>>,
  ) => Promise<void>
  readonly passwords: Pick<Passwords, 'waiting'>
  readonly ownPasswords: OwnPasswords
  /** counted over all routes */
  readonly wrongTokens: Pick<WrongTokens, 'count'>
  readonly metrics: Metrics
  readonly load: Pick<Load, 'now' | 'history'>
  readonly storageWatch: Pick<StorageWatch, 'reading'>
  readonly unflownAccounts: Pick<UnflownAccounts, 'removed'>
  readonly pastFlights: PastFlights
  /** between servers; undefined where there is none */
  readonly bus: Pick<Bus, 'metrics'> | undefined
  /** of this machine beside the database's; undefined while they are not compared */
  readonly hostClock: () => HostClock | undefined
  /** the processes on this database */
  readonly hosts: () => Promise<HostRow[]>
  /** asks for a star system to be moved to a host; false when it is unknown, or may own none */
  readonly wantOn: (system: string, host: string) => Promise<boolean>
  /** lets a host own nothing any more, or own again; false when it is unknown */
  readonly drainHost: (host: string, drained: boolean) => Promise<boolean>
  /** the version of PostgreSQL; rejects when the database does not answer */
  readonly probeDatabase: () => Promise<string>
  readonly page: BuiltPage
  readonly logger: Logger
}
