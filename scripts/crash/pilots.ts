/** Pilots, each with a socket. */
import { type Control, type GameSocket, connectSocket } from '@orrery/client'
import { createModulesClient } from '@orrery/client/flight'
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  STATION_ID,
  randomControl,
  randomManeuver,
  randomRule,
  randomThrust,
} from '../trials/random-orders.ts'
import { MINE_OPERATIONS, type Miner } from './mines/mine-operations.ts'
import { send, isRefusal } from './requests.ts'
import type { Scenario, Account } from './scenario.ts'
import type { OrderHistory, OrderFields } from './order-history.ts'

export interface PilotContext {
  readonly scenario: Scenario
  readonly history: OrderHistory
  /** whether pilots mine */
  readonly hasMines: boolean
  /** ends all pilots */
  readonly over: AbortSignal
}

/** A pilot whose socket is open. */
export interface Pilot {
  readonly account: Account
  /** resolves when the last order has its answer */
  readonly done: Promise<void>
  /** sends several orders at once */
  burst(): Promise<unknown>
  /** resolves to a function that changes a rule of the ship: one row of the journal per call */
  ruleChanges(): Promise<() => Promise<unknown>>
  close(): void
}

/** Longest pause between two messages [ms]. */
const REST_MS_MAX = 1000

const BURST = 3

/** Connects pilots, each with its own chances; those whose handshakes are refused are left out. */
export async function startPilots(
  context: PilotContext,
  accounts: readonly Account[],
  { url, random }: { readonly url: string; readonly random: Chance },
): Promise<Pilot[]> {
  const connected = await Promise.all(
    accounts.map((account) => startPilot(context, account, { url, random: random.branch() })),
  )
  return connected.filter((pilot) => pilot !== undefined)
}

async function startPilot(
  context: PilotContext,
  account: Account,
  { url, random }: { readonly url: string; readonly random: Chance },
): Promise<Pilot | undefined> {
  const socket = connectSocket({ url, token: account.token, view: { ids: [] } })
  const lost = new Promise<undefined>((resolve) => {
    socket.on('disconnected', () => {
      // A restart uses new sockets.
      socket.close()
      resolve(undefined)
    })
  })
  const welcome = await Promise.race([socket.opened.catch(() => undefined), lost])
  if (!welcome) return undefined
  const { hasMines, scenario: log } = context
  const modules = createModulesClient({ url, token: account.token })
  const pilot = {
    context,
    account,
    socket,
    random,
    ...(hasMines && { miner: { log, modules, random } }),
  }
  return {
    account,
    done: fly(pilot),
    burst: () => Promise.all(Array.from({ length: BURST }, () => control(pilot))),
    ruleChanges: () => ruleChanges(pilot),
    close: () => socket.close(),
  }
}

interface PilotSession {
  readonly context: PilotContext
  readonly account: Account
  readonly socket: GameSocket
  readonly random: Chance
  readonly miner?: Miner
}

async function fly(pilot: PilotSession): Promise<void> {
  const { context, random } = pilot
  const { over } = context
  while (!over.aborted) {
    await random.pick(pilot.miner ? MINERS_OPERATIONS : PILOT_OPERATIONS)(pilot)
    await sleep(random.below(REST_MS_MAX), undefined, { signal: over }).catch(() => undefined)
  }
}

/** One of these is chosen at a time; repeated entries have a greater weight. */
const PILOT_OPERATIONS: readonly ((pilot: PilotSession) => Promise<unknown>)[] = [
  control,
  control,
  control,
  (pilot) => Promise.all(Array.from({ length: BURST }, () => control(pilot))),
  rename,
  startManeuver,
  abortManeuver,
  dock,
  undock,
  giveRule,
]

/** Those of pilots who mine, and seldom steer: a ship under thrust leaves its asteroid. */
const MINERS_OPERATIONS: typeof PILOT_OPERATIONS = [
  ...MINE_OPERATIONS.map(
    (operation) =>
      ({ miner }: PilotSession) =>
        operation(miner!),
  ),
  dock,
  dock,
  dock,
  undock,
  control,
  giveRule,
]

let orders = 0

/** A throttle that no other order has. */
function freshThrust(random: Chance): number {
  return randomThrust(random) + ++orders * 2 ** -40
}

function control({ context, account, socket, random }: PilotSession): Promise<void> {
  const thrust = freshThrust(random)
  const wanted = randomControl(random, thrust)
  const turn = turnOf(wanted)
  return order(context, account, { thrust, ...(turn !== undefined && { turn }) }, () =>
    socket.control(wanted),
  )
}

/** As it is found in the journal. */
function turnOf({ attitude, angular_rate: rate, pointing }: Control): string | undefined {
  if (attitude) return JSON.stringify([attitude.w, attitude.x, attitude.y, attitude.z])
  return rate ? JSON.stringify([rate.x, rate.y, rate.z]) : pointing
}

function startManeuver({ context, account, socket, random }: PilotSession): Promise<void> {
  const wanted = randomManeuver(random, socket.gameTimeNow())
  const { maneuver } = wanted
  const turn = turnOf(wanted) ?? (maneuver === 'kill_rotation' ? 'rest' : maneuver)
  return order(context, account, { turn }, () => socket.startManeuver(wanted))
}

function abortManeuver({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'rest' }, () => socket.abortManeuver())
}

function dock({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'dock' }, () => socket.dock(STATION_ID))
}

function undock({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'undock' }, () => socket.undock())
}

/** Rules are no part of the ledger: digests show them. */
async function giveRule({ socket, random }: PilotSession): Promise<void> {
  const rules = await socket.rules().catch(() => [])
  const [first] = rules
  if (rules.length > 3) await socket.deleteRule(first.rule_id).catch(() => undefined)
  await socket.saveRule(randomRule(random)).catch(() => undefined)
}

async function ruleChanges({ socket, random }: PilotSession): Promise<() => Promise<unknown>> {
  const [rule = await socket.saveRule(randomRule(random))] = await socket.rules()
  return () => socket.saveRule(randomRule(random), rule.rule_id).catch(() => undefined)
}

async function rename({
  context: { scenario },
  account,
  socket,
  random,
}: PilotSession): Promise<void> {
  const name = `${account.username} ${random.below(1e6)}`
  await send(scenario, [['world', `name:${account.shipId}`, name]], () => socket.rename(name))
}

async function order(
  { scenario, history }: PilotContext,
  { playerId }: Account,
  words: OrderFields,
  say: () => Promise<{ readonly game_time: string }>,
): Promise<void> {
  const entry = history.say(playerId, words)
  try {
    entry.accepted((await say()).game_time)
  } catch (error) {
    if (isRefusal(scenario, error)) entry.refused()
  }
}
