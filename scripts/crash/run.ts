import { type Chance, type ServiceProcess, WITHOUT_LIMITS, createChance } from '@orrery/testkit'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { GameDirectory } from '../trials/game-directory.ts'
import { Model } from './model.ts'
import { type Session, type Scenario, PASSWORD } from './scenario.ts'
import { OrderHistory } from './order-history.ts'
import type { Mines } from './mines/mines.ts'
import type { Observation } from './observation.ts'

/** What is killed: the server's process, its PostgreSQL with it, or PostgreSQL alone. */
export type Victim = 'server' | 'both' | 'database'

export interface CrashLoopOptions {
  /** in turns */
  readonly victims: readonly Victim[]
  readonly kills: number
  readonly seed: number
  /** pilots */
  readonly clients: number
  /** longest time under load before a kill [ms] */
  readonly loadMsMax: number
  /** the journal is replayed after so many kills */
  readonly replayEvery: number
  /** the journal is read after so many kills, which waits until the database has ended */
  readonly readEvery: number
  /** whether the first start is killed, too */
  readonly isFirstStartKilled: boolean
  /** whether the game has mining and missions, a newer version of mining after half of the kills */
  readonly hasMines: boolean
  readonly print: (line: string) => void
}

/** A server that runs and was observed. */
export interface RunningServer {
  readonly game: ServiceProcess
  readonly url: string
  readonly session: Session
  readonly observed: Observation
}

/** One game and the results so far. */
export interface Run {
  readonly options: CrashLoopOptions
  readonly directory: GameDirectory
  readonly variables: Readonly<Record<string, string>>
  /** undefined in a game without modules */
  readonly mines: Mines | undefined
  readonly random: Chance
  readonly scenario: Scenario
  readonly history: OrderHistory
  readonly violations: string[]
  readonly readyMs: number[]
  /** keys that existed before the first operation */
  initial: ReadonlySet<string> | undefined
  token: string
  /** a server that was not killed yet */
  running: RunningServer | undefined
  /** the last one that was started */
  started: ServiceProcess | undefined
  kills: number
  digests: number
  /** eras that have ended and were replayed since */
  readonly ended: Set<number>
  /** kills since the last inspection */
  killed: string[]
}

export const ADMIN: { readonly username: string; readonly password: string } = {
  username: 'chief',
  password: PASSWORD,
}

export function beginRun(options: CrashLoopOptions, directory: GameDirectory, mines?: Mines): Run {
  const random = createChance(options.seed)
  return {
    options,
    directory,
    mines,
    variables: {
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...directory.variables,
      JWT_SECRET_KEY: randomBytes(32).toString('hex'),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      MAX_SHIPS: '2000',
      WORKERS: '1',
      SHIP_CLASSES: fileURLToPath(new URL('ship-classes.json', import.meta.url)),
      ...WITHOUT_LIMITS,
    },
    random,
    scenario: {
      model: new Model(),
      faults: [],
      unknown: 0,
      random,
      ids: new Map(),
      pilots: [],
      captures: new Map(),
      passwords: new Set(),
      names: 0,
      era: 0,
    },
    history: new OrderHistory(),
    violations: [],
    readyMs: [],
    initial: undefined,
    token: '',
    running: undefined,
    started: undefined,
    kills: 0,
    digests: 0,
    ended: new Set(),
    killed: [],
  }
}

/** Count of acknowledged orders and changes. */
export function acknowledged({ history, scenario }: Run): number {
  return history.accepted + scenario.model.acknowledged
}
