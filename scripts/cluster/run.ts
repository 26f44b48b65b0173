/** A cluster in a run, what is asked of it and what was seen. */
import type { FailoverServer } from '@orrery/testkit/failover-server'
import type { NatsServer } from '@orrery/testkit/nats-server'
import type { Ledger } from '../crash/mines/ledger.ts'
import type { CrashLoopOptions, Run } from '../crash/run.ts'
import type { Sql } from '../trials/game-directory.ts'
import type { UrlDirectory } from '../trials/url-directory.ts'
import type { Fleets } from './fleets.ts'
import type { Jump, Jumps } from './jumps.ts'
import type { Link } from './link.ts'
import type { Member } from './members.ts'
import type { Watcher } from './watchers.ts'

/** Of which the last one needs a standby of the database. */
export const VICTIMS = [
  'leader',
  'flyer',
  'gateway',
  'broker',
  'database',
  'stopped',
  'primary',
] as const
export type Victim = (typeof VICTIMS)[number]

/** What was done; a host that leads has no follower where each other one flies, too. */
export type Disturbance = Victim | 'unfollowed leader' | 'unfollowed stopped'

/** Between a server and the database, the bus or other servers. */
export interface NamedLink extends Link {
  readonly name: string
}

export interface Outcome {
  /** how long each client was without a frame that is new, by what was done [ms] */
  readonly gaps: Record<Disturbance, number[]>
  readonly kills: Record<Victim, number>
  jumps: readonly Jump[]
  /** from the moment that a standby is promoted until a command is acknowledged [ms] */
  readonly acknowledgedAgain: number[]
  /** how often owners were others after the database was killed or its standby promoted */
  takenOver: number
  /** from the moment that a link heals until all is as before [ms] */
  readonly healed: number[]
  /** systems that were given to a host */
  moves: number
  /** digests that were compared with those of a replay in one process */
  digests: number
  /** ships that players saw at a moment, compared with a flight of the journal */
  seen: number
  readonly ledger: Ledger
}

export interface ClusterOptions extends Pick<
  CrashLoopOptions,
  'seed' | 'clients' | 'hasMines' | 'print'
> {
  readonly kills: number
  /** ends earlier after so long [ms] */
  readonly msMax: number
  /** longest time under load before a kill [ms] */
  readonly loadMsMax: number
  /** links are cut instead of kills, each in each direction */
  readonly cutsLinks: boolean
  /** the database has a standby, for which commits wait, and which takes its place in turn */
  readonly failsOver: boolean
}

interface Cluster {
  readonly nats: NatsServer
  readonly hosts: readonly Member[]
  readonly gateways: readonly Member[]
  /** none unless they are cut */
  readonly links: readonly NamedLink[]
  /** of the game */
  readonly sql: Sql
  /** undefined without a standby */
  readonly database: FailoverServer | undefined
}

export interface ClusterRun extends Run {
  readonly directory: UrlDirectory
  readonly cluster: Cluster
  readonly watchers: readonly Watcher[]
  readonly fleets: Fleets
  readonly jumps: Jumps
  readonly outcome: Outcome
}
