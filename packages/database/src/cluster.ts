import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DurableFiles, syncDirectory, syncTree } from './durable-files.ts'

const CLUSTER = 'cluster'
const UNFINISHED = 'cluster.building'

export interface ClusterOptions {
  /** Directory that holds the cluster; its owner's alone. */
  readonly directory: string
  /** Schema that unqualified names mean. */
  readonly schema: string
  readonly onServerLog: (line: string) => void
}

function runningCluster(path: string, { schema, onServerLog }: ClusterOptions): Promise<PGlite> {
  const settings = {
    fsync: 'on',
    // The only method whose call reaches the file system: PGlite's fdatasync does nothing.
    wal_sync_method: 'fsync',
    max_wal_size: '256MB',
    // Errors go to the query that made them; here belongs what ends the database.
    log_min_messages: 'fatal',
    search_path: schema,
  }
  return PGlite.create({
    fs: new DurableFiles(path),
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

/**
 * Opens the cluster of a directory, creating it at the first start.
 *
 * A new cluster is built beside its place and renamed into it once all of it is on the disk, so a
 * cluster found in its place is a whole one.
 */
export async function openCluster(options: ClusterOptions): Promise<PGlite> {
  const { directory } = options
  const cluster = join(directory, CLUSTER)
  const unfinished = join(directory, UNFINISHED)
  rmSync(unfinished, { recursive: true, force: true })
  if (!existsSync(cluster)) {
    mkdirSync(unfinished, { mode: 0o700 })
    const built = await runningCluster(unfinished, options)
    await built.close()
    await syncTree(unfinished)
    renameSync(unfinished, cluster)
    syncDirectory(directory)
  }
  return runningCluster(cluster, options)
}
