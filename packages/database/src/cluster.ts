import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles, syncDirectory, syncTree } from './durable-files.ts'
import { reasonOf } from './error.ts'
import {
  type LastGoodCopy,
  copyCluster,
  copyTree,
  discardCopy,
  isClean,
  lastGoodCopy,
  setAside,
  unmarkClean,
} from './last-good-copy.ts'

const CLUSTER = 'cluster'
const UNFINISHED = 'cluster.building'
const PAGE_BYTES = 8192
// What every statement needs; all sixty would take a tenth of a second more.
const CATALOGS = [
  'pg_attrdef',
  'pg_attribute',
  'pg_class',
  'pg_constraint',
  'pg_index',
  'pg_namespace',
  'pg_operator',
  'pg_proc',
  'pg_type',
]
const FATAL_WORDS = /\b(?:PANIC|FATAL|DETAIL): +(?<words>.*)/u
// Where the machine is at fault, nothing is said about the cluster.
const FAULTS_OF_THE_MACHINE = new RegExp(
  [
    'no space left|read-only file|permission denied|not permitted|too many open|out of memory',
    'input/output|quota|ENOSPC|EROFS|EACCES|EPERM|EMFILE|ENFILE|ENOMEM|EIO|EDQUOT',
  ].join('|'),
  'iu',
)

export interface ClusterOptions {
  /** Directory that holds the cluster; its owner's alone. */
  readonly directory: string
  /** Schema that unqualified names mean. */
  readonly schema: string
  /** Opens what was open until just now: neither created nor replaced by a copy. */
  readonly isRevival: boolean
  readonly onServerLog: (line: string) => void
  /** PostgreSQL has aborted: nothing it was asked will be answered. */
  readonly onAbort: () => void
}

/** That a start found the cluster broken and opened a copy of the last good one. */
export interface FallBack {
  /** Where the broken cluster was moved; undefined when there was none. */
  readonly aside: string | undefined
  /** When the copy was made: what was stored since is not in it. */
  readonly copiedAt: Date
}

export interface OpenCluster {
  readonly database: PGlite
  readonly fellBack: FallBack | undefined
}

function runningCluster(path: string, options: ClusterOptions): Promise<PGlite> {
  const { schema, onServerLog, onAbort } = options
  const settings = {
    fsync: 'on',
    // The only method whose call reaches the file system: PGlite's fdatasync does nothing.
    wal_sync_method: 'fsync',
    // Filling a new segment of the log with 16 MiB of zeros holds up every query for 50 ms.
    wal_init_zero: 'off',
    max_wal_size: '256MB',
    // Errors go to the query that made them; here belongs what ends the database.
    log_min_messages: 'fatal',
    search_path: schema,
  }
  return PGlite.create({
    fs: new DurableFiles(path, onAbort),
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    onStderr(line) {
      onServerLog(line)
      return false
    },
  })
}

/** Reads the catalogs, whose pages have checksums, and looks for the file of every table. */
async function verify(database: PGlite): Promise<void> {
  // A column of the rows themselves, so that no index answers in their place.
  const readings = CATALOGS.map((catalog) => `(select count(ctid) from ${catalog})`)
  const { rows } = await database.query<{ name: string | null }>(`
    select 0 as rows, oid::regclass::text as name from pg_class
    where relpersistence <> 't' and pg_relation_filepath(oid) is not null and
      coalesce((pg_stat_file(pg_relation_filepath(oid), true)).size % ${PAGE_BYTES}, 1) <> 0
    union all select ${readings.join(' + ')}, null`)
  const missing = rows.flatMap(({ name }) => name ?? [])
  if (missing.length > 0) throw new Error(`missing or cut off: the files of ${missing.join(', ')}`)
}

/** @throws Error with PostgreSQL's own words, where it has said any */
async function verifiedCluster(path: string, options: ClusterOptions): Promise<PGlite> {
  // Without this file PGlite would build a new cluster in place of the old one.
  if (!existsSync(join(path, 'PG_VERSION'))) throw new Error('it has no file PG_VERSION')
  const said: string[] = []
  const onServerLog = (line: string): void => {
    const words = FATAL_WORDS.exec(line)?.groups?.['words']
    if (words !== undefined) said.push(words)
    options.onServerLog(line)
  }
  let database: PGlite | undefined
  try {
    database = await runningCluster(path, { ...options, onServerLog })
    await verify(database)
    return database
  } catch (error) {
    await database?.close().catch(() => {})
    throw said.length === 0 ? error : new Error(said.join(': '), { cause: error })
  }
}

async function createCluster(options: ClusterOptions): Promise<void> {
  const { directory } = options
  const unfinished = join(directory, UNFINISHED)
  mkdirSync(unfinished, { mode: 0o700 })
  const built = await runningCluster(unfinished, options)
  await built.close()
  await takePlace(directory)
}

/** Makes what was built beside the cluster's place the cluster. */
async function takePlace(directory: string): Promise<void> {
  await syncTree(join(directory, UNFINISHED))
  renameSync(join(directory, UNFINISHED), join(directory, CLUSTER))
  syncDirectory(directory)
}

/**
 * Puts a copy of the last good copy in the place of a broken cluster.
 *
 * Only once the copy has opened: what keeps the copy from opening, a newer release or a full disk,
 * may be all that is wrong with the cluster.
 */
async function fallBack(options: ClusterOptions, copy: LastGoodCopy): Promise<FallBack> {
  const { directory } = options
  const unfinished = join(directory, UNFINISHED)
  copyTree(copy.path, unfinished)
  const trial = await verifiedCluster(unfinished, options)
  await trial.close()
  const aside = setAside(directory, join(directory, CLUSTER))
  await takePlace(directory)
  return { aside, copiedAt: copy.copiedAt }
}

function rollCopy({ directory, onServerLog }: ClusterOptions): void {
  if (!isClean(directory)) return
  try {
    if (copyCluster(directory, join(directory, CLUSTER))) return
    onServerLog('The database is larger than 1 GiB: no copy of it is kept from now on.')
  } catch (error) {
    discardCopy(directory)
    onServerLog(`The database was not copied, the earlier copy is kept: ${reasonOf(error)}`)
  }
}

/**
 * Opens the cluster of a directory, creating it at the first start.
 *
 * A new cluster is built beside its place and renamed into it once all of it is on the disk, so a
 * cluster found in its place is a whole one. One that does not open all the same is moved aside
 * for a copy of the last good one.
 */
export async function openCluster(options: ClusterOptions): Promise<OpenCluster> {
  const { directory } = options
  const cluster = join(directory, CLUSTER)
  if (options.isRevival)
    return { database: await verifiedCluster(cluster, options), fellBack: undefined }
  rmSync(join(directory, UNFINISHED), { recursive: true, force: true })
  discardCopy(directory)
  const copy = lastGoodCopy(directory)
  if (copy === undefined && !existsSync(cluster)) await createCluster(options)
  rollCopy(options)
  unmarkClean(directory)
  let broken: string
  try {
    return { database: await verifiedCluster(cluster, options), fellBack: undefined }
  } catch (error) {
    discardCopy(directory)
    broken = reasonOf(error)
    if (FAULTS_OF_THE_MACHINE.test(broken)) throw error
    if (copy === undefined) throw new Error(`${broken} (there is no copy of it)`, { cause: error })
  }
  const copiedAt = copy.copiedAt.toISOString()
  try {
    const fellBack = await fallBack(options, copy)
    const { database } = await openCluster({ ...options, isRevival: true })
    const moved = fellBack.aside === undefined ? '' : ` and moved to ${fellBack.aside}`
    options.onServerLog(
      `THE DATABASE WAS BROKEN (${broken})${moved}. Opened is a copy made at ${copiedAt}: ` +
        'what was stored since is not in it.',
    )
    return { database, fellBack }
  } catch (error) {
    throw new Error(`${broken}; nor does its copy of ${copiedAt}: ${reasonOf(error)}`, {
      cause: error,
    })
  }
}
