import { type Chance, createChance } from '@orrery/testkit'
import { randomBytes } from 'node:crypto'
import { type GameDirectory, createGameDirectory } from './game-directory.ts'
import type { GameProcess } from './game-process.ts'
import { Ledger } from './ledger.ts'
import { type Desk, type Office, PASSWORD } from './office.ts'
import { OrderBook } from './order-book.ts'
import type { Sight } from './sight.ts'

/** What is killed: the server's process, its PostgreSQL with it, or PostgreSQL alone. */
export type Victim = 'server' | 'both' | 'database'

export interface CrashLoopOptions {
  /** in turns */
  readonly victims: readonly Victim[]
  readonly kills: number
  readonly seed: number
  /** people who fly */
  readonly clients: number
  /** longest that a game runs before something is killed [ms] */
  readonly loadMsMax: number
  /** after so many kills the whole journal is flown again */
  readonly replayEvery: number
  /** after so many kills the journal is read, which waits for the database's end */
  readonly readEvery: number
  /** whether it is killed while it is made, too */
  readonly isMadeTwice: boolean
  readonly tell: (line: string) => void
}

/** A game that runs and was looked at. */
export interface Back {
  readonly game: GameProcess
  readonly url: string
  readonly desk: Desk
  readonly sight: Sight
}

/** One game and all that is known of it. */
export interface Run {
  readonly options: CrashLoopOptions
  readonly directory: GameDirectory
  readonly variables: Readonly<Record<string, string>>
  readonly random: Chance
  readonly office: Office
  readonly book: OrderBook
  readonly violations: string[]
  readonly readyMs: number[]
  /** what was there before anybody made anything */
  known: ReadonlySet<string> | undefined
  token: string
  /** a game that came back and was not killed yet */
  back: Back | undefined
  kills: number
  digests: number
  /** eras that are over, and were flown again as they ended */
  readonly ended: Set<number>
  /** what was killed since the game was looked at last */
  struck: string[]
}

export const ADMIN: { readonly username: string; readonly password: string } = {
  username: 'chief',
  password: PASSWORD,
}

export async function beginRun(options: CrashLoopOptions): Promise<Run> {
  const random = createChance(options.seed)
  const directory = await createGameDirectory()
  return {
    options,
    directory,
    variables: {
      DATA_DIR: directory.dataDirectory,
      JWT_SECRET_KEY: randomBytes(32).toString('hex'),
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      MAX_SHIPS: '2000',
      WORKERS: '1',
      LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
      HANDSHAKES_PER_MINUTE: '1000000',
    },
    random,
    office: {
      ledger: new Ledger(),
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
    book: new OrderBook(),
    violations: [],
    readyMs: [],
    known: undefined,
    token: '',
    back: undefined,
    kills: 0,
    digests: 0,
    ended: new Set(),
    struck: [],
  }
}

/** Orders and changes that were acknowledged. */
export function acknowledged({ book, office }: Run): number {
  return book.accepted + office.ledger.acknowledged
}
