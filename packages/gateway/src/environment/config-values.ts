import type { BusOptions } from '@orrery/bus'
import type { SignIn } from '@orrery/game'
import type { LogLevel, Secret } from '@orrery/http'

/** Paths of files that a connection to NATS needs. */
type NatsFiles = Pick<BusOptions, 'credentialsFile' | 'caFile' | 'certificateFile' | 'keyFile'>

/** Everything the environment decides; parsed once, then passed down as values. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDirectory: string
  readonly databaseUrl: Secret | undefined
  /** it owns the world; else it serves clients from a mirror of another's */
  readonly isHost: boolean
  /** follows the world of a server that lives, and takes it over when that dies */
  readonly standby: boolean
  /** URL at which other servers reach this one; by default where it listens */
  readonly hostAddress: string | undefined
  /** between servers; undefined without a URL */
  readonly natsUrl: Secret | undefined
  readonly natsFiles: NatsFiles
  readonly tokenKey: Secret
  readonly adminUsername: string | undefined
  readonly adminPassword: Secret | undefined
  readonly serverName: string
  readonly workers: number
  readonly shipsMax: number
  /** of a new world; a stored one keeps its own */
  readonly worldSeed: string
  /** file of ship classes; without it a world keeps those it has */
  readonly shipClassesFile: string | undefined
  /** files of modules, rules of a game's own */
  readonly moduleFiles: readonly string[]
  /** directory of the core of the release before; undefined for the one that this release has */
  readonly carriedCore: string | undefined
  /** orders are flown ahead, and those end that would burn in vain */
  readonly ordersFlownAhead: boolean
  /** that commands can be replayed for, at least; 0 keeps the whole journal */
  readonly journalHours: number
  /** past moments that are flown again at once; 0 switches that off */
  readonly pastFlightsMax: number
  /** resident memory that each of them may take [bytes] */
  readonly pastFlightBytesMax: number
  /** of the backups made on request; older ones are deleted */
  readonly backupsKept: number
  /** by tokens of another server; undefined where no one may */
  readonly signIn: SignIn | undefined
  readonly loginAttemptsPerMinute: number
  /** per address; 0 is unlimited */
  readonly registrationsPerHour: number
  /** registrations that a player's open invitations may be for; 0 switches invitations off */
  readonly invitedPerPlayer: number
  /** that an account may have */
  readonly shipsPerPlayer: number
  /** that an account which never flew stays after its last use; 0 is for ever [ms] */
  readonly unflownKeptMs: number
  /** open at once */
  readonly socketsMax: number
  readonly socketsPerAddress: number
  /** of sockets, per address */
  readonly handshakesPerMinute: number
  /** of binary frames to a client that asks for no other [bytes/s] */
  readonly frameBudget: number
  /** of JSON frames, in the same way [bytes/s] */
  readonly jsonBudget: number
  readonly trustProxy: boolean
  readonly allowedOrigins: readonly string[]
  /** names it may be asked by; undefined where any will do */
  readonly allowedHosts: readonly string[] | undefined
  readonly metricsToken: Secret | undefined
  /** free where the data are; below it a warning is logged, 0 is never [bytes] */
  readonly diskFreeBytesMin: number
  readonly logLevel: LogLevel
  readonly keyFile: Secret | undefined
  readonly certificateFile: string | undefined
  /** that the program was made from, where it is known */
  readonly commit: string | null
}
