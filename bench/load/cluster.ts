/** One universe on a host and gateways, each a process of its own, over PostgreSQL and NATS. */
import { type ServiceEnvironment, startPostgresServer } from '@orrery/testkit'
import { type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { progress } from '@orrery/testkit/progress'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Pilot, seedPilots } from './pilots.ts'
import {
  type LoadServer,
  type MeasuredServer,
  pin,
  settled,
  startMeasured,
  variablesOf,
} from './server.ts'

export interface LoadCluster {
  readonly owner: MeasuredServer
  readonly pilots: readonly Pilot[]
  readonly nats: NatsServer
  /** Starts one more, with variables of its own. */
  addGateway(more?: ServiceEnvironment): Promise<MeasuredServer>
  stop(): Promise<void>
}

/** Starts all but gateways, and waits until the work of a start is over. */
export async function startLoadCluster({
  pilots: count,
  rateHz,
}: {
  readonly pilots: number
  readonly rateHz: number
}): Promise<LoadCluster> {
  await using opened = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'orrery-bench-'))
  opened.defer(() => rm(directory, { recursive: true, force: true }))
  const postgres = await startPostgresServer()
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
  const servers: MeasuredServer[] = []
  opened.defer(async () => {
    for (const { process } of servers) await process.kill()
  })
  const add = async (more: ServiceEnvironment): Promise<MeasuredServer> => {
    const server = await startMeasured({ ...variables, ...more })
    servers.push(server)
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
    stop: () => kept.disposeAsync(),
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
