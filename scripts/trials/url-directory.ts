/** A game in a PostgreSQL server that outlives the game and can hold back what it writes. */
import { type Database, openDatabase } from '@orrery/database'
import { startPostgresServer } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GameDirectory, createGameDirectory } from './game-directory.ts'

/** A journal into which nothing can be written. */
export interface HeldJournal {
  /** lets the batch that waits become durable, and holds the next one */
  passOne(): Promise<void>
  release(): Promise<void>
}

export interface UrlDirectory extends GameDirectory {
  /** kills all of the database and starts it again; a journal that was held is free */
  crashDatabase(): Promise<void>
  /** resolves when a batch waits */
  holdJournal(): Promise<HeldJournal>
  /** resolves when all sessions of a killed game have ended */
  left(): Promise<void>
}

const LOOK_MS = 5

/** A PostgreSQL server that can be crashed. */
interface CrashedServer {
  readonly url: string
  /** kills all of it and starts it again */
  crash(): Promise<void>
  stop(): Promise<void>
  discard(): void
}

async function startCrashedServer(): Promise<CrashedServer> {
  const server = await startPostgresServer()
  const crash = async (): Promise<void> => {
    await server.kill()
    await server.restart()
  }
  return { ...server, crash }
}

/** @param given  a server, which it stops; by default one of its own */
export async function createUrlDirectory(given?: CrashedServer): Promise<UrlDirectory> {
  const directory = await createGameDirectory()
  const postgres = given ?? (await startCrashedServer())
  const end = (): void => postgres.discard()
  process.once('exit', end)
  // Another schema than the game's, so that its sessions have another name.
  const observer = await openDatabase({ url: postgres.url, directory: '', schema: 'observer' })
  const left = async (): Promise<void> => {
    while (await hasSessions(observer)) await sleep(LOOK_MS)
  }
  return {
    ...directory,
    variables: { DATABASE_URL: postgres.url },
    read: async (work) => {
      await left()
      const game = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
      try {
        return await work(game.sql)
      } finally {
        await game.close()
      }
    },
    remove: async () => {
      await observer.close()
      await postgres.stop()
      process.off('exit', end)
      await directory.remove()
    },
    crashDatabase: () => postgres.crash(),
    holdJournal: () => holdJournal(observer),
    left,
  }
}

async function hasSessions({ sql }: Database): Promise<boolean> {
  const sessions = await sql`
    select from pg_stat_activity where application_name like 'orrery game%'`
  return sessions.length > 0
}

async function holdJournal(observer: Database): Promise<HeldJournal> {
  let lock = lockJournal(observer)
  await lock.granted
  await waiting(observer, 1)
  return {
    passOne: async () => {
      await waiting(observer, 1)
      const next = lockJournal(observer)
      await waiting(observer, 2)
      await lock.release()
      await next.granted
      lock = next
    },
    release: () => lock.release(),
  }
}

interface Lock {
  readonly granted: Promise<void>
  release(): Promise<void>
}

/** Requests are granted in order: a lock that is asked for behind a batch follows it at once. */
function lockJournal({ sql }: Database): Lock {
  const granted = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const held = sql.begin(async (transaction) => {
    await transaction`lock table game.journal in exclusive mode`
    granted.resolve()
    await over.promise
  })
  held.catch(granted.reject)
  return {
    granted: granted.promise,
    release: async () => {
      over.resolve()
      // The lock of a database that was killed is gone.
      await held.catch(() => undefined)
    },
  }
}

/** Waits until as many requests wait for the journal. */
async function waiting({ sql }: Database, count: number): Promise<void> {
  for (;;) {
    const requests = await sql`
      select from pg_locks where relation = 'game.journal'::regclass and not granted`
    if (requests.length >= count) return
    await sleep(LOOK_MS)
  }
}
