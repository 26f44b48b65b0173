/** A server and a standby of it, each in a directory of its own. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, partsOf, setPassword } from '@orrery/database/embedded'
import { type Postgres, startPostgres } from '@orrery/database/postgres'
import { postgresProcesses } from './postgres-server.ts'
import { killProcesses } from './processes.ts'

export interface Node {
  readonly directory: string
  readonly port: number
  /** @param more  settings, kept for later starts */
  start(more?: Readonly<Record<string, string>>): Promise<void>
  /** Kills all of it, as a crash of its machine would. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface ReplicatedServer {
  readonly primary: Node
  readonly standby: Node
  /** The URL of several hosts, in this order. */
  url(this: void, ports: readonly number[]): string
  /** Starts a node as a standby of another, whose data it has. */
  standbyOf(this: void, primary: Node, standby: Node): Promise<void>
  remove(this: void): Promise<void>
  /** Kills both and removes their data, as this process ends. */
  discard(this: void): void
}

const SETTINGS = {
  wal_level: 'replica',
  max_wal_senders: 4,
  // A standby that was copied from a running server asks for the log since then.
  wal_keep_size: '256MB',
  // After 5 s by default: until then no commit is acknowledged that a primary has after a crash.
  wal_retrieve_retry_interval: '100ms',
}

export async function startReplicated(): Promise<ReplicatedServer> {
  const root = mkdtempSync(join(tmpdir(), 'orrery-replicated-'))
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  const password = randomBytes(24).toString('base64url')
  // What was stopped with a log for standbys is the beginning of one.
  await setPassword({ ...(await partsOf(first, () => {})), settings: SETTINGS }, password)
  const data = join(first, 'postgresql')
  appendFileSync(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  const nodes = [await nodeIn(first, await freePort()), await nodeIn(second, await freePort())]
  const [primary, standby] = nodes
  const standbyOf = async ({ port }: Node, node: Node): Promise<void> => {
    writeFileSync(join(node.directory, 'postgresql', 'standby.signal'), '', { mode: 0o644 })
    const from = `host=127.0.0.1 port=${port} user=orrery password=${password}`
    await node.start({ primary_conninfo: from })
  }
  execFileSync('cp', ['-a', first, second])
  await primary.start()
  await standbyOf(primary, standby)
  return {
    primary,
    standby,
    url: (ports) => {
      const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
      return `postgres://orrery:${password}@${hosts}/orrery`
    },
    standbyOf,
    async remove() {
      for (const node of nodes) await node.stop()
      rmSync(root, { recursive: true, force: true })
    },
    discard: () => {
      for (const { directory } of nodes) killProcesses(postgresProcesses(directory))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function nodeIn(directory: string, port: number): Promise<Node> {
  let settings: Readonly<Record<string, string | number>> = SETTINGS
  let server: Postgres | undefined
  return {
    directory,
    port,
    async start(more) {
      settings = { ...settings, ...more }
      server = await startPostgres({ ...(await partsOf(directory, () => {})), port, settings })
    },
    async kill() {
      killProcesses(postgresProcesses(directory))
      await server?.ended
      server = undefined
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
  }
}
