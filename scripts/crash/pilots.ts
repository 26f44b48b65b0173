/** Pilots, each with a socket. */
import { CATALOG_OBJECTS } from '@orrery/catalog'
import { type GameSocket, connectSocket } from '@orrery/client'
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, isRefusal } from './requests.ts'
import type { Scenario, Account } from './scenario.ts'
import type { OrderHistory, OrderFields } from './order-history.ts'

export interface PilotContext {
  readonly scenario: Scenario
  readonly history: OrderHistory
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
  rename(): Promise<void>
  close(): void
}

/** Longest pause between two messages [ms]. */
const REST_MS_MAX = 1000

const BURST = 3

const POINTINGS = ['prograde', 'retrograde', 'normal', 'radial_out', 'rest', 'hold'] as const

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
  const pilot = { context, account, socket, random }
  return {
    account,
    done: fly(pilot),
    burst: () => Promise.all(Array.from({ length: BURST }, () => control(pilot))),
    rename: () => rename(pilot),
    close: () => socket.close(),
  }
}

interface PilotSession {
  readonly context: PilotContext
  readonly account: Account
  readonly socket: GameSocket
  readonly random: Chance
}

async function fly(pilot: PilotSession): Promise<void> {
  const { context, random } = pilot
  const { over } = context
  while (!over.aborted) {
    await random.pick(PILOT_OPERATIONS)(pilot)
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

let orders = 0

/** A throttle that no other order has; most are small. */
function freshThrust(random: Chance): number {
  return random.pick([0, 0, 0.01, 0.3]) + ++orders * 2 ** -40
}

function control({ context, account, socket, random }: PilotSession): Promise<void> {
  const thrust = freshThrust(random)
  const way = random.below(6)
  if (way === 0) {
    const [w, x, y, z] = [random.share(), random.share(), random.share(), 1]
    return order(context, account, { thrust, turn: JSON.stringify([w, x, y, z]) }, () =>
      socket.control({ thrust_level: thrust, attitude: { w, x, y, z } }),
    )
  }
  if (way === 1) {
    const pointing = random.pick(POINTINGS)
    return order(context, account, { thrust, turn: pointing }, () =>
      socket.control({ thrust_level: thrust, pointing }),
    )
  }
  if (way === 2) {
    const [x, y, z] = [random.share(), random.share(), random.share()].map((part) => 0.04 * part)
    return order(context, account, { thrust, turn: JSON.stringify([x, y, z]) }, () =>
      socket.control({ thrust_level: thrust, angular_rate: { x, y, z } }),
    )
  }
  if (way === 3) {
    const burn = { delta_v: 1 + random.below(100), wheel_unloading: random.oneIn(2) }
    const aim = { pointing: 'target', target_body: random.pick(['Moon', 'Sun']) } as const
    return order(context, account, { thrust, turn: 'target' }, () =>
      socket.control({ thrust_level: thrust, ...burn, ...aim }),
    )
  }
  return order(context, account, { thrust }, () => socket.control({ thrust_level: thrust }))
}

function startManeuver({ context, account, socket, random }: PilotSession): Promise<void> {
  const kind = random.below(4)
  if (kind === 0) {
    const maneuver = random.pick(['circularize', 'escape'] as const)
    return order(context, account, { turn: maneuver }, () => socket.startManeuver({ maneuver }))
  }
  if (kind === 1) {
    return order(context, account, { turn: 'rest' }, () =>
      socket.startManeuver({ maneuver: 'kill_rotation' }),
    )
  }
  const pointing = random.pick(['prograde', 'normal', 'hold'] as const)
  return order(context, account, { turn: pointing }, () =>
    socket.startManeuver({ maneuver: 'attitude', pointing }),
  )
}

function abortManeuver({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'rest' }, () => socket.abortManeuver())
}

const station = CATALOG_OBJECTS.find((object) => object.kind === 'create_station')

function dock({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'dock' }, () => socket.dock(station?.stationId ?? ''))
}

function undock({ context, account, socket }: PilotSession): Promise<void> {
  return order(context, account, { turn: 'undock' }, () => socket.undock())
}

/** Rules are no part of the ledger: digests show them. */
async function giveRule({ socket, random }: PilotSession): Promise<void> {
  const rules = await socket.rules().catch(() => [])
  const [first] = rules
  if (rules.length > 3) await socket.deleteRule(first.rule_id).catch(() => undefined)
  const condition = random.pick([
    { type: 'apsis', apsis: 'periapsis' },
    { type: 'fuel', below: 0.9 },
    { type: 'altitude', above: 500_000 },
    { type: 'maneuver_end' },
  ] as const)
  const action = random.pick([
    { type: 'event' },
    { type: 'maneuver_start', maneuver: 'circularize' },
  ] as const)
  await socket.saveRule({ name: 'Rule', condition, action }).catch(() => undefined)
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
