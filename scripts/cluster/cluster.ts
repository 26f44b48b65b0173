/** One universe on three hosts and two gateways, disturbed at random and compared afterwards. */
import { api } from '@orrery/client/routes'
import { openDatabase } from '@orrery/database'
import { HOME_ID, SYSTEM_IDS } from '@orrery/game'
import { startFailoverServer } from '@orrery/testkit/failover-server'
import { startNatsServer } from '@orrery/testkit/nats-server'
import { progress } from '@orrery/testkit/progress'
import { replayed } from '@orrery/testkit/replayed'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../crash/checker.ts'
import { compareOre, createLedger } from '../crash/mines/ledger.ts'
import { createMines } from '../crash/mines/mines.ts'
import { storedHandOffs } from '../crash/transfers/hand-offs.ts'
import { fillPilots } from '../crash/load.ts'
import { send } from '../crash/requests.ts'
import { type Observation, observe } from '../crash/observation.ts'
import type { StoredOrder } from '../crash/order-history.ts'
import { type Run, acknowledged, beginRun } from '../crash/run.ts'
import type { Session } from '../crash/scenario.ts'
import { storedOrders } from '../crash/stored-world.ts'
import type { Sql } from '../trials/game-directory.ts'
import { createUrlDirectory } from '../trials/url-directory.ts'
import { openSessions, prepare, startWatchers } from './clients.ts'
import { cutLink, disturb, untilWhole } from './disturbances.ts'
import { startFleets } from './fleets.ts'
import { startJumps } from './jumps.ts'
import { startLink } from './link.ts'
import { type Member, startMember } from './members.ts'
import { until } from './ownership.ts'
import {
  type ClusterOptions,
  type ClusterRun,
  type NamedLink,
  type Outcome,
  VICTIMS,
  type Victim,
} from './run.ts'
import { type SeenFrame, compareFrames } from './seen-frames.ts'

const HOSTS = 3
const GATEWAYS = 2

/** Ships of pilots that watchers look at, too. */
const FOLLOWED = 8

/** Longest wait for a system to be given [ms]. */
const MOVED_MS_MAX = 60_000

/** Of the log of each server after a failure [characters]. */
const LOG_SHOWN = 3000

/** Answers of gateways and hosts while a system changes owners. */
const OWNER_AWAY = /owner of the world|taken the world/

export interface ClusterResult extends Outcome {
  readonly acknowledged: number
  readonly violations: readonly string[]
}

export async function runCluster(options: ClusterOptions): Promise<ClusterResult> {
  await using opened = new AsyncDisposableStack()
  const database = options.failsOver ? await startFailoverServer() : undefined
  const directory = await createUrlDirectory(database)
  opened.defer(() => directory.remove())
  const rhythm = { victims: [], replayEvery: 1, readEvery: 1, isFirstStartKilled: false }
  const mines = options.hasMines ? await createMines(dirname(directory.database)) : undefined
  const begun = beginRun({ ...options, ...rhythm }, directory, mines)
  const scenario = { ...begun.scenario, outages: OWNER_AWAY }
  const run = { ...begun, scenario }
  const { violations } = run
  const nats = await startNatsServer()
  opened.defer(() => nats.stop())
  const variables = {
    ...run.variables,
    DATA_DIR: dirname(directory.database),
    NATS_URL: nats.url,
    ...(mines && { MODULES: mines.files }),
  }
  const members: Member[] = []
  const url = run.variables['DATABASE_URL']
  const { sql, close } = await openDatabase({ url, directory: '', schema: 'game' })
  opened.defer(close)
  opened.defer(async () => {
    for (const member of members) await member.kill()
  })
  const outcome: Outcome = {
    kills: perVictim(() => 0),
    gaps: { ...perVictim(() => []), 'unfollowed leader': [], 'unfollowed stopped': [] },
    jumps: [],
    acknowledgedAgain: [],
    takenOver: 0,
    healed: [],
    moves: 0,
    digests: 0,
    seen: 0,
    ledger: createLedger(),
  }
  try {
    const links: NamedLink[] = []
    opened.defer(() => links.forEach((link) => link.end()))
    const linked = options.cutsLinks ? links : undefined
    const hosts = await started(members, { role: 'host', count: HOSTS, linked }, variables)
    const gateways = await started(members, { role: 'gateway', count: GATEWAYS, linked }, variables)
    const cluster = { nats, hosts, gateways, links, sql, database }
    const seen = await play({ ...run, directory, outcome, cluster }, options)
    for (const member of [...gateways, ...hosts.toReversed()]) {
      const code = await member.stop()
      if (code !== 0) {
        violations.push(`${member.name} ended with ${code}: ${member.log().slice(-LOG_SHOWN)}`)
      }
    }
    outcome.digests = await compare(run, sql, variables)
    outcome.seen = await compareSeen(run, sql, seen)
  } catch (error) {
    violations.push(error instanceof Error ? String(error.stack) : String(error))
    violations.push(...members.map((one) => `${one.name}: ${one.log().slice(-LOG_SHOWN)}`))
  }
  return {
    ...outcome,
    acknowledged: acknowledged(run),
    violations: [...violations, ...scenario.faults],
  }
}

/** Disturbs a cluster under load, and reads at its end what clients see. */
async function play(
  begun: Omit<ClusterRun, 'fleets' | 'jumps' | 'watchers'>,
  { clients, cutsLinks, kills, loadMsMax, msMax, print }: ClusterOptions,
): Promise<readonly SeenFrame[]> {
  const { cluster, mines, outcome, random, scenario, violations } = begun
  const { gateways } = cluster
  await using opened = new AsyncDisposableStack()
  const sessions = await openSessions(begun, gateways)
  const [session] = sessions
  const { url } = gateways[0]
  const seen = (): Promise<Observation> => observe(url, begun.token, session.admin)
  const initial = new Set((await seen()).things.keys())
  await prepare(session)
  const watchers = await startWatchers(session, gateways, opened)
  await fillPilots(session, clients)
  const followed = scenario.pilots.slice(0, FOLLOWED).map(({ shipId }) => shipId)
  await Promise.all(watchers.map((one) => one.follow(followed)))
  const countOre = async (): Promise<void> => {
    if (!mines) return
    const server = { session, url, observed: await seen() }
    violations.push(...(await compareOre(outcome.ledger, server)))
    await send(scenario, [['server', 'paused', false]], () => session.admin.game.resume())
  }
  await countOre()
  const fleets = await startFleets(begun, gateways, opened)
  const jumps = startJumps(begun, sessions, { sql: cluster.sql, opened })
  outcome.jumps = jumps.done
  const run = { ...begun, fleets, jumps, watchers }
  const endMs = performance.now() + msMax
  for (let kill = 0; kill < kills && performance.now() < endMs; kill++) {
    progress.at('kills', kill, kills)
    const victim = VICTIMS[kill % (cluster.database ? VICTIMS.length : VICTIMS.length - 1)]
    await untilWhole(run)
    jumps.disturbed(true)
    outcome.moves += await moveSystem(run, session)
    jumps.disturbed(false)
    await sleep((0.3 + 0.7 * random.share()) * loadMsMax)
    const what = cutsLinks ? await cutLink(run, kill) : await disturb(run, victim)
    const longest = watchers.map((one) => one.longestMs().toFixed(0)).join(' ')
    print(`${kill + 1} ${what}: longest time without a new frame [ms] ${longest}`)
  }
  await jumps.end()
  await fleets.end()
  await untilWhole(run)
  await countOre()
  violations.push(...check(scenario.model, await seen(), initial))
  violations.push(...watchers.flatMap((one) => one.seen.undone))
  return watchers.flatMap((one) => one.seen.kept)
}

/** Compares what players saw with a flight of the journal; returns the count of ships in it. */
async function compareSeen(
  { mines, variables, violations }: Run,
  sql: Sql,
  seen: readonly SeenFrame[],
): Promise<number> {
  const room = { sql, modules: mines?.modules, shipsMax: Number(variables['MAX_SHIPS']) }
  let ships = 0
  for (const [systemId, frames] of Map.groupBy(seen, (frame) => frame.systemId)) {
    const compared = await compareFrames(room, systemId, frames)
    violations.push(...compared.differences)
    ships += compared.ships
  }
  return ships
}

/** Compares what is stored with what was acknowledged; returns the count of digests replayed. */
async function compare(
  { history, mines, scenario, violations }: Run,
  sql: Sql,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const report = await replayed(variables)
  if (report.differences > 0) violations.push(`${report.differences} digests differ`)
  const ships = scenario.pilots.length + WATCHERS
  if (report.ships !== ships) violations.push(`${report.ships} ships, must be ${ships}`)
  const { faults, inTransit } = await storedHandOffs(sql, mines !== undefined)
  violations.push(...faults)
  if (inTransit > 0) violations.push(`${inTransit} ships are under way`)
  const orders = await storedOrders(sql)
  violations.push(...history.differences(orders), ...doubled(orders))
  return report.digests_compared
}

/** Ships that are only looked at. */
const WATCHERS = GATEWAYS * SYSTEM_IDS.length

function perVictim<Value>(make: () => Value): Record<Victim, Value> {
  const [leader, flyer, gateway, broker, database, stopped, primary] = VICTIMS.map(make)
  return { leader, flyer, gateway, broker, database, stopped, primary }
}

interface Starting {
  readonly role: 'host' | 'gateway'
  readonly count: number
  /** gets a link of each server to the database and to the bus, and one to each host */
  readonly linked: NamedLink[] | undefined
}

async function started(
  members: Member[],
  { role, count, linked }: Starting,
  variables: Readonly<Record<string, string>>,
): Promise<readonly Member[]> {
  const made: Member[] = []
  const linkTo = async (url: string, name: string): Promise<string> => {
    const link = await startLink(url)
    linked?.push({ ...link, name })
    return link.url
  }
  for (let place = 1; place <= count; place++) {
    const own = { ...variables }
    for (const name of linked ? ['DATABASE_URL', 'NATS_URL'] : []) {
      own[name] = await linkTo(own[name], `${role} ${place} to ${name}`)
    }
    const toHost =
      linked && role === 'host'
        ? async (url: string) => new URL(await linkTo(url, `others to host ${place}`)).origin
        : undefined
    const member = await startMember(role, place, own, toHost)
    made.push(member)
    members.push(member)
  }
  return made
}

/** Gives a system to a host, and often waits until that owns it. Returns how many were given. */
async function moveSystem(
  { cluster, random, violations }: ClusterRun,
  { admin }: Session,
): Promise<number> {
  const systemId = random.pick(SYSTEM_IDS.filter((id) => id !== HOME_ID))
  const { address } = random.pick(cluster.hosts)
  const { hosts } = await admin.call(api.listHosts)
  const host = hosts.find(({ state, url }) => url === address && state !== 'silent')
  if (!host) {
    violations.push(`${address} is not listed`)
    return 0
  }
  await admin.call(api.moveSystem, { host_id: host.host_id, system_id: systemId })
  if (random.oneIn(4)) return 1
  const isThere = async (): Promise<boolean> =>
    (await admin.call(api.listHosts)).hosts.some(
      ({ system_ids: owned, url }) => url === address && owned.includes(systemId),
    )
  await until(isThere, { what: `${systemId} goes to ${address}`, msMax: MOVED_MS_MAX })
  return 1
}

/** Orders that are in the journal twice; no two have one throttle. */
function doubled(orders: readonly StoredOrder[]): string[] {
  const seen = new Set<string>()
  return orders.flatMap(({ pilot, thrust }) => {
    if (thrust === undefined) return []
    const key = `${pilot} ${thrust}`
    if (seen.has(key)) return [`done twice: ${key}`]
    seen.add(key)
    return []
  })
}
