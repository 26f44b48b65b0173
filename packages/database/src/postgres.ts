import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Cluster } from './cluster.ts'
import { DatabaseError, type Notice } from './error.ts'

/** A running PostgreSQL server, a child of this process. */
export interface Postgres {
  /** Settles with the reason once all processes of the server have ended. */
  readonly ended: Promise<string>
  /** Ends its sessions, writes a checkpoint, and waits for its end. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  readonly cluster: Cluster
  /** Directory with `bin/postgres`. */
  readonly binaries: string
  /** in addition to those of every server */
  readonly settings?: Readonly<Record<string, string | number>>
  /** A port of 127.0.0.1 to listen on; without it a Unix socket in the cluster's directory. */
  readonly port?: number
  readonly onNotice: Notice
}

/** Another server runs on the directory, or a crash left its lock files. */
export class OccupiedError extends Error {}

/** Lock files of PostgreSQL. */
export const LOCK_FILES = ['postmaster.pid', '.s.PGSQL.5432.lock'] as const

/** Name of the Unix socket in the cluster's directory. */
export const SOCKET = '.s.PGSQL.5432'

const SETTINGS: Readonly<Record<string, string | number>> = {
  autovacuum_max_workers: 1,
  autovacuum_worker_slots: 1,
  // A session whose client was killed ends within a second, also during a query.
  client_connection_check_interval: '1s',
  // In the cluster's directory: in `/dev/shm` a killed server leaves it for ever.
  ...(process.platform !== 'win32' && { dynamic_shared_memory_type: 'mmap' }),
  // Asynchronous reads would need three more processes.
  io_method: 'sync',
  jit: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '',
  // Errors go to the client; in a log they would show values of the query.
  log_min_error_statement: 'panic',
  log_min_messages: 'log',
  log_timezone: 'UTC',
  max_connections: 50,
  max_logical_replication_workers: 0,
  max_parallel_workers: 0,
  max_wal_senders: 0,
  max_wal_size: '256MB',
  max_worker_processes: 0,
  shared_buffers: '32MB',
  timezone: 'UTC',
  // Filling a new segment of the log with zeros would delay the commit that needs it.
  wal_init_zero: 'off',
  wal_level: 'minimal',
}

// Ends the server when its own standard input ends; the system closes that when this process ends
// in any way. A line on it ends the server, too, but without a time limit.
const GUARD = `
exec 3<&0
"$@" 3<&- & server=$!
{
  timer=; trap 'test -z "$timer" || kill -KILL $timer; exit' USR1; trap '' INT TERM HUP
  read -r _; kill -INT $server; while read -r _; do :; done
  sleep 4 & timer=$!; wait; kill -QUIT $server
} <&3 2>/dev/null & guard=$!
trap '' INT TERM HUP
exec 3<&-
wait $server; status=$?
kill -USR1 $guard
exit $status`

const LINE = /^(?<severity>[A-Z]+): +(?<text>.*)$/u
// A standby is ready for read-only connections.
const READY = 'database system is ready to accept '
// From another program: a smart shutdown would wait for all sessions, and ours do not end.
const SHUTDOWN = 'received smart shutdown request'
const OCCUPIED = /lock file .*(?:exists|is empty)|shared memory block/u

function launch({ cluster, binaries, port, settings: more }: PostgresOptions): ChildProcess {
  const { path, runner } = cluster
  const listening =
    port === undefined
      ? { listen_addresses: '', unix_socket_directories: '.' }
      : { listen_addresses: '127.0.0.1', unix_socket_directories: '', port }
  // The user may lack the right to enter the parent directories: the server starts inside.
  const isLinux = process.platform === 'linux'
  const directory = runner.uid !== undefined && isLinux ? '/proc/self/cwd' : '.'
  const settings = Object.entries({ ...SETTINGS, ...more, ...listening })
  const command = [
    join(binaries, 'bin', 'postgres'),
    '-D',
    directory,
    ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const isWindows = process.platform === 'win32'
  const [program = '', ...args] = isWindows ? command : ['/bin/sh', '-c', GUARD, 'sh', ...command]
  return spawn(program, args, {
    ...runner,
    cwd: path,
    // Without this process's secrets; in a separate session, which Ctrl-C does not reach. Windows
    // ends children with their parent unless they are detached.
    env: { ...(isWindows ? process.env : { PATH: '/usr/bin:/bin' }), LC_ALL: 'C' },
    detached: !isWindows,
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

/**
 * Starts a server and waits until it answers.
 *
 * @throws OccupiedError; DatabaseError `ERR_DATABASE_DIRECTORY` with PostgreSQL's message
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { cluster, binaries, onNotice } = options
  const server = launch(options)
  const ready = Promise.withResolvers<undefined>()
  const ended = Promise.withResolvers<string>()
  let lastWords = ''
  let isReady = false
  let isStopping = false
  if (server.stderr) {
    createInterface(server.stderr).on('line', (line) => {
      const { severity, text = line } = LINE.exec(line)?.groups ?? {}
      const isFatal = severity === 'FATAL' || severity === 'PANIC'
      // A line without a severity comes from the system: the program does not run.
      if (isFatal || (severity === undefined && lastWords === '')) lastWords = text.trim()
      // A failed start throws an error; a stop ends sessions and an autovacuum with FATAL.
      const isWarning = isReady && isFatal && !(isStopping && severity === 'FATAL')
      onNotice(text.trim(), isWarning ? 'warn' : 'debug')
      if (text.startsWith(READY)) ready.resolve(undefined)
      if (text.startsWith(SHUTDOWN)) server.stdin?.write('\n')
    })
  }
  server.stdin?.on('error', () => {})
  server.once('error', (error) => ended.resolve(error.message))
  // Not its exit: sessions keep its standard error open until they end.
  server.once('close', (code) => ended.resolve(lastWords || `it ended with ${code}`))
  void ended.promise.then((reason) => {
    server.stdin?.destroy()
    const message = `PostgreSQL does not start in ${cluster.path}: ${reason}`
    const isOccupied = OCCUPIED.test(reason)
    const refusal = isOccupied ? OccupiedError : DatabaseError.bind(null, 'ERR_DATABASE_DIRECTORY')
    ready.reject(new refusal(message))
  })
  await ready.promise
  isReady = true
  lastWords = ''
  const stop = async (): Promise<void> => {
    isStopping = true
    const control = join(binaries, 'bin', 'pg_ctl')
    if (process.platform !== 'win32') server.stdin?.write('\n')
    else if (server.exitCode === null)
      await promisify(execFile)(control, ['stop', '-D', cluster.path, '-m', 'fast'])
    await ended.promise
  }
  return { ended: ended.promise, stop }
}
