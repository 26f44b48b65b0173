/** One universe on a host and gateways, each a process of its own, over PostgreSQL and NATS. */
import type { AdminClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import { openDatabase } from '@orrery/database'
import { type ServiceEnvironment, type ServiceProcess, startPostgresServer } from '@orrery/testkit'
import { type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { progress } from '@orrery/testkit/progress'
import { startReplicated } from '@orrery/testkit/replicated-server'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Pilot, seedPilots } from './pilots.ts'
import {
  type LoadServer,
  type MeasuredServer,
  pin,
  settled,
  startMeasured,
  startProcess,
  variablesOf,
} from './server.ts'

/** Behind its owner, of a host that may be given a system [s]. */
const LAG_SECONDS_MAX = 0.5
const LOOK_MS = 50

export interface LoadCluster {
  readonly owner: MeasuredServer
  readonly pilots: readonly Pilot[]
  readonly nats: NatsServer
  /** Starts one more, with variables of its own. */
  addGateway(more?: ServiceEnvironment): Promise<MeasuredServer>
  /** Starts a host that follows the owner, and has no metrics; its URL, once it is in step. */
  addHost(): Promise<string>
  stop(): Promise<void>
}

/** Starts all but gateways, and waits until the work of a start is over. */
export async function startLoadCluster({
  pilots: count,
  rateHz,
  isReplicated = false,
}: {
  readonly pilots: number
  readonly rateHz: number
  /** whether each commit waits for a standby of the database */
  readonly isReplicated?: boolean
}): Promise<LoadCluster> {
  await using opened = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  opened.defer(() => rm(directory, { recursive: true, force: true }))
  const postgres = await (isReplicated ? startSynchronous : startPostgresServer)()
  opened.defer(() => postgres.stop())
  const nats = await startNatsServer()
  opened.defer(() => nats.stop())
  const tokenKey = randomBytes(32).toString('hex')
  const { url } = postgres
  progress.at(`a host with ${count} accounts`)
  const pilots = await seedPilots({ dataDirectory: directory, url, tokenKey, count })
  const variables = {
    ...variablesOf(directory, tokenKey),
    DATABASE_URL: url,
    NATS_URL: nats.url,
  }
  const processes: ServiceProcess[] = []
  opened.defer(async () => {
    for (const process of processes) await process.kill()
  })
  const add = async (more: ServiceEnvironment): Promise<MeasuredServer> => {
    progress.at('a server starts')
    const server = await startMeasured({ ...variables, ...more })
    processes.push(server.process)
    return server
  }
  const owner = await add({ STANDBY: 'true' })
  await settled(owner.admin, rateHz)
  const kept = opened.move()
  return {
    owner,
    pilots,
    nats,
    addGateway: (more = {}) => add({ ROLES: 'gateway', ...more }),
    addHost: async () => {
      progress.at('a host follows')
      const process = startProcess({ ...variables, STANDBY: 'true' })
      processes.push(process)
      const address = await process.ready
      await inStep(owner.admin, address)
      return address
    },
    stop: () => kept.disposeAsync(),
  }
}

/** A database each of whose commits waits for its standby. */
async function startSynchronous(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { primary, remove, url } = await startReplicated()
  const database = await openDatabase({ url: url([primary.port]), directory: '', schema: 'game' })
  await database.sql.unsafe("alter system set synchronous_standby_names = '*'")
  await database.sql`select pg_reload_conf()`
  await database.close()
  return { url: url([primary.port]), stop: remove }
}

/** Waits until a host has flown up to its owner. */
export async function inStep(admin: AdminClient, url: string): Promise<void> {
  for (;;) {
    const { hosts } = await admin.call(api.listHosts)
    const lag = hosts.find((one) => one.url === url)?.lag_seconds ?? Infinity
    if (lag < LAG_SECONDS_MAX) return
    await sleep(LOOK_MS)
  }
}

/** A gateway, with a universe of its own, as a server under load. */
export async function startLoadGateway(options: {
  readonly pilots: number
  readonly rateHz: number
}): Promise<LoadServer> {
  const cluster = await startLoadCluster(options)
  // The gateway may have a core of its own.
  await pin(cluster.owner.pid, 1)
  const { pilots } = cluster
  return { ...(await cluster.addGateway()), pilots, stop: () => cluster.stop() }
}
