/** A server and a standby of it, each in a directory of its own. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, partsOf, setPassword } from '@orrery/database/embedded'
import { type Postgres, startPostgres } from '@orrery/database/postgres'

export interface Node {
  readonly port: number
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ReplicatedServer {
  readonly primary: Node
  readonly standby: Node
  /** The URL of several hosts, in this order. */
  url(this: void, ports: readonly number[]): string
  remove(this: void): Promise<void>
}

const SETTINGS = { wal_level: 'replica', max_wal_senders: 4 }

export async function startReplicated(): Promise<ReplicatedServer> {
  const root = mkdtempSync(join(tmpdir(), 'orrery-replicated-'))
  const [first, second] = [join(root, 'first'), join(root, 'second')]
  const password = randomBytes(24).toString('base64url')
  // What was stopped with a log for standbys is the beginning of one.
  await setPassword({ ...(await partsOf(first, () => {})), settings: SETTINGS }, password)
  const data = join(first, 'postgresql')
  appendFileSync(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
  const nodes: Node[] = []
  const add = async (directory: string, more: Record<string, string> = {}): Promise<Node> => {
    const port = await freePort()
    const { cluster, ...parts } = await partsOf(directory, () => {})
    let server: Postgres | undefined
    const node: Node = {
      port,
      async start() {
        server = await startPostgres({
          ...parts,
          cluster,
          port,
          settings: { ...SETTINGS, ...more },
        })
      },
      async stop() {
        await server?.stop()
        server = undefined
      },
    }
    nodes.push(node)
    return node
  }
  const primary = await add(first)
  execFileSync('cp', ['-a', first, second])
  writeFileSync(join(second, 'postgresql', 'standby.signal'), '', { mode: 0o644 })
  const from = `host=127.0.0.1 port=${primary.port} user=orrery password=${password}`
  const standby = await add(second, { primary_conninfo: from })
  await primary.start()
  await standby.start()
  return {
    primary,
    standby,
    url: (ports) => {
      const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',')
      return `postgres://orrery:${password}@${hosts}/orrery`
    },
    async remove() {
      for (const node of nodes) await node.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
