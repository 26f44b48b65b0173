/** What happens to a cluster: servers, the bus or the database are killed, or a host is stopped. */
import { HOME_ID, SYSTEM_IDS } from '@orrery/game'
import { setTimeout as sleep } from 'node:timers/promises'
import { acknowledged } from '../crash/run.ts'
import { type Owner, claimsOf, isWhole, ownersOf, until } from './ownership.ts'
import type { ClusterRun, Disturbance, Victim } from './run.ts'

/** Time until all is as before, on a busy machine [ms]. */
const WHOLE_MS_MAX = 60_000

/** A link is cut so long [ms]. */
const CUT_MS = 10_000

/** Of a log, at its end [characters]. */
const LOG_SHOWN = 3000

/** What a host logs that was silent for so long that another leads: a machine may be that busy. */
const TAKEN = /"msg":"another server has taken the world"|"code":"ERR_FENCED"/

/** So many frames in a row show that all goes on. */
const FRAMES_MIN = 5

/** Waits until each host lives and follows, each gateway answers, and all clients get frames. */
export async function untilWhole(run: ClusterRun): Promise<void> {
  const { cluster, watchers } = run
  const { gateways, hosts, sql } = cluster
  const limits = { msMax: WHOLE_MS_MAX }
  const areWhole = async (): Promise<boolean> => {
    await startEnded(run)
    return isWhole(sql, hosts)
  }
  await until(areWhole, { ...limits, what: 'all hosts live or follow' })
  for (const { name, url } of gateways) {
    const isReady = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok
    await until(isReady, { ...limits, what: `${name} is ready` })
  }
  const enough = watchers.map((one) => one.frames() + FRAMES_MIN)
  for (const [place, one] of watchers.entries()) {
    const what = `frames of ${one.systemId} at gateway ${one.gateway}`
    await until(() => one.frames() >= enough[place], { ...limits, what })
  }
}

/** Systems whose frames may stop, and a gateway that is away itself. */
interface Hit {
  readonly systemIds: readonly string[]
  /** what it counts as, where not as its victim */
  readonly as?: Disturbance | undefined
  readonly gateway?: number
}

/** Disturbs once, and waits until all is as before. */
export async function disturb(run: ClusterRun, victim: Victim): Promise<Victim> {
  const { cluster, jumps, outcome, watchers } = run
  for (const one of watchers) one.begin()
  jumps.disturbed(true)
  const before = await claimsOf(cluster.sql)
  const { as = victim, gateway, systemIds } = await HITS[victim](run)
  await untilWhole(run)
  const isOfDatabase = victim === 'database' || victim === 'primary'
  if (isOfDatabase && (await claimsOf(cluster.sql)) !== before) outcome.takenOver++
  jumps.disturbed(false)
  const seen = watchers.filter((one) => systemIds.includes(one.systemId) && one.gateway !== gateway)
  outcome.gaps[as].push(...seen.map((one) => one.longestMs()))
  outcome.kills[victim]++
  return victim
}

/** Nothing passes a link in one direction for a while; then all is as before. */
export async function cutLink(run: ClusterRun, turn: number): Promise<string> {
  const { cluster, jumps, outcome, watchers } = run
  const { links } = cluster
  const link = links[turn % links.length]
  const way = Math.floor(turn / links.length) % 2 === 0 ? 'there' : 'back'
  for (const one of watchers) one.begin()
  jumps.disturbed(true)
  link.change({ [way]: { isCut: true } })
  await sleep(CUT_MS)
  link.change({})
  const healedMs = performance.now()
  await untilWhole(run)
  const wholeMs = performance.now() - healedMs
  outcome.healed.push(wholeMs)
  jumps.disturbed(false)
  return `${link.name}, ${way}, whole after ${wholeMs.toFixed(0)} ms`
}

/** Starts servers that have ended by themselves; a host may whose systems others have taken. */
async function startEnded({ cluster, violations }: ClusterRun): Promise<void> {
  for (const member of [...cluster.hosts, ...cluster.gateways]) {
    if (member.running()) continue
    const log = member.log()
    if (!TAKEN.test(log)) {
      violations.push(`${member.name} has ended by itself: ${log.slice(-LOG_SHOWN)}`)
    }
    await member.start()
  }
}

const HITS: Readonly<Record<Victim, (run: ClusterRun) => Promise<Hit>>> = {
  leader: async (run) => killHost(run, await leaderOf(run)),
  flyer: async (run) => killHost(run, await flyerOf(run)),
  stopped: async (run) =>
    stopHost(run, run.random.oneIn(2) ? await leaderOf(run) : await flyerOf(run)),
  gateway: async ({ cluster: { gateways }, fleets, random }) => {
    const gateway = random.below(gateways.length)
    await gateways[gateway].kill()
    await fleets.left(gateway)
    await gateways[gateway].start()
    await fleets.back()
    return { systemIds: SYSTEM_IDS, gateway }
  },
  broker: async ({ cluster: { nats, sql }, violations }) => {
    const before = await claimsOf(sql)
    await nats.kill()
    await nats.restart()
    if ((await claimsOf(sql)) !== before) violations.push('the broker ended, and owners changed')
    return { systemIds: SYSTEM_IDS }
  },
  database: async ({ directory }) => {
    await directory.crashDatabase()
    return { systemIds: SYSTEM_IDS }
  },
  primary: async (run) => {
    const { cluster, outcome } = run
    let again: Promise<void> | undefined
    await cluster.database?.failOver(() => {
      const [startMs, before] = [performance.now(), acknowledged(run)]
      const isAgain = (): boolean => acknowledged(run) > before
      again = until(isAgain, { what: 'a command is acknowledged', msMax: WHOLE_MS_MAX }).then(
        () => void outcome.acknowledgedAgain.push(performance.now() - startMs),
      )
    })
    await again
    return { systemIds: SYSTEM_IDS }
  },
}

async function leaderOf({ cluster: { hosts, sql } }: ClusterRun): Promise<Owner> {
  const leader = (await ownersOf(sql, hosts)).find(({ systemIds }) => systemIds.includes(HOME_ID))
  if (!leader) throw new Error('The home system has no owner')
  return leader
}

/** A host that flies systems for the leader; the leader where there is none. */
async function flyerOf(run: ClusterRun): Promise<Owner> {
  const { cluster, random } = run
  const owners = await ownersOf(cluster.sql, cluster.hosts)
  const flyers = owners.filter(({ systemIds }) => !systemIds.includes(HOME_ID))
  return flyers.length > 0 ? random.pick(flyers) : leaderOf(run)
}

/** Whether a host leads, and each other one flies, too. */
async function isUnfollowed({ cluster }: ClusterRun, { systemIds }: Owner): Promise<boolean> {
  const owners = await ownersOf(cluster.sql, cluster.hosts)
  return systemIds.includes(HOME_ID) && owners.length === cluster.hosts.length
}

async function killHost(run: ClusterRun, { member, systemIds }: Owner): Promise<Hit> {
  const as = (await isUnfollowed(run, { member, systemIds })) ? 'unfollowed leader' : undefined
  await member.kill()
  await untilOthersOwn(run, { member, systemIds })
  await member.start()
  return { systemIds, as }
}

/** A host stops where it is, and goes on when others have its systems. */
async function stopHost(run: ClusterRun, owner: Owner): Promise<Hit> {
  const { member, systemIds } = owner
  const isLeader = systemIds.includes(HOME_ID)
  const as = (await isUnfollowed(run, owner)) ? 'unfollowed stopped' : undefined
  member.signal('SIGSTOP')
  await untilOthersOwn(run, owner)
  member.signal('SIGCONT')
  const hasGivenUp = (): boolean =>
    !member.running() || (!isLeader && member.log().includes('"flying star systems no more"'))
  await until(hasGivenUp, { what: `${member.name} gives up what others own`, msMax: WHOLE_MS_MAX })
  await member.start()
  return { systemIds, as }
}

function untilOthersOwn(
  { cluster: { hosts, sql } }: ClusterRun,
  { member, systemIds }: Owner,
): Promise<void> {
  const haveThem = async (): Promise<boolean> => {
    const others = (await ownersOf(sql, hosts)).filter((owner) => owner.member !== member)
    const owned = new Set(others.flatMap((owner) => owner.systemIds))
    return systemIds.every((id) => owned.has(id))
  }
  return until(haveThem, { what: `others take ${systemIds.join()}`, msMax: WHOLE_MS_MAX })
}
