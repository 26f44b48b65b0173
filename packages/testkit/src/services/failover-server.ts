/** A server whose commits wait for a standby, which takes its place. */
import { execFileSync } from 'node:child_process'
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@orrery/database'
import { type Node, startReplicated } from './replicated-server.ts'

export interface FailoverServer {
  /** of both, in any order */
  readonly url: string
  /** Kills all of the primary, as a crash of its machine would, and starts it again. */
  crash(): Promise<void>
  /**
   * Kills all of the primary and promotes its standby; resolves when a new standby, in the place
   * of the killed one, has all that is committed.
   *
   * @param onPromoted  called when the promoted one takes writes
   */
  failOver(onPromoted?: () => void): Promise<void>
  stop(): Promise<void>
  /** Kills both and removes their data, as this process ends. */
  discard(): void
}

const LOOK_MS = 20

export async function startFailoverServer(): Promise<FailoverServer> {
  const { discard, primary, remove, standby, standbyOf, url } = await startReplicated()
  let [first, second] = [primary, standby]
  const open = (node: Node): Promise<Database> =>
    openDatabase({ url: url([node.port]), directory: '', schema: 'pg_catalog' })
  const replicate = async (): Promise<void> => {
    const database = await open(first)
    const isThere = async (): Promise<boolean> =>
      (await database.sql`select from pg_stat_replication where state = 'streaming'`).length > 0
    while (!(await isThere())) await sleep(LOOK_MS)
    await waitForStandbys(database, '*')
    await database.close()
  }
  await replicate()
  return {
    url: url([primary.port, standby.port]),
    crash: async () => {
      await first.kill()
      await first.start()
    },
    failOver: async (onPromoted) => {
      await first.kill()
      await promote(url([second.port]))
      ;[first, second] = [second, first]
      const database = await open(first)
      // Until there is a standby again, commits wait for none.
      await waitForStandbys(database, '')
      onPromoted?.()
      await copyWhileRunning(database, first, second)
      await database.close()
      await standbyOf(first, second)
      await replicate()
    },
    stop: remove,
    discard,
  }
}

async function waitForStandbys({ sql }: Database, names: string): Promise<void> {
  await sql.unsafe(`alter system set synchronous_standby_names = '${names}'`)
  await sql`select pg_reload_conf()`
}

async function promote(url: string): Promise<void> {
  const standby = await openDatabase({ url, directory: '', schema: 'pg_catalog', readOnly: true })
  // The end of recovery may cancel a statement that waits for it.
  await standby.sql`select pg_promote(false)`
  const isPromoted = async (): Promise<boolean> => {
    const [{ isStandby }] = await standby.sql<[{ isStandby: boolean }]>`
      select pg_is_in_recovery() as "isStandby"`
    return !isStandby
  }
  while (!(await isPromoted())) await sleep(LOOK_MS)
  await standby.close()
}

/** Replaces the data of a node by a backup of a running server. */
async function copyWhileRunning({ sql }: Database, from: Node, to: Node): Promise<void> {
  const [source, target] = [from, to].map(({ directory }) => join(directory, 'postgresql'))
  rmSync(target, { recursive: true, force: true })
  const session = await sql.reserve()
  await session`select pg_backup_start('standby', true)`
  try {
    execFileSync('cp', ['-a', source, target], { stdio: 'ignore' })
  } catch {
    // Of files that go meanwhile the log has what they had.
  }
  const [{ labelfile }] = await session<[{ labelfile: string }]>`
    select labelfile from pg_backup_stop(false)`
  session.release()
  rmSync(join(target, 'postmaster.pid'), { force: true })
  const label = join(target, 'backup_label')
  writeFileSync(label, labelfile)
  // The server, which gives up root, has to move it.
  const { gid, uid } = statSync(target)
  chownSync(label, uid, gid)
}
