/** People who fly, each over a socket of his own. */
import { type GameSocket, connectSocket } from '@orrery/client'
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask, isRefusal } from './asking.ts'
import type { Office, Person } from './office.ts'
import type { OrderBook, Words } from './order-book.ts'

export interface Flying {
  readonly office: Office
  readonly book: OrderBook
  /** ends all flying */
  readonly over: AbortSignal
}

/** Somebody with a socket that is open. */
export interface Pilot {
  readonly person: Person
  /** says some things, one after the other, until flying is over */
  readonly done: Promise<void>
  /** says several things at once */
  burst(): Promise<unknown>
  close(): void
}

/** Rest between two things said, from 0 [ms]. */
const REST_MS_MAX = 1000

const BURST = 3

const POINTINGS = ['prograde', 'retrograde', 'normal', 'radial_out', 'rest', 'hold'] as const

/** Connects a pilot; undefined when he is not let in. */
export async function startPilot(
  flying: Flying,
  person: Person,
  { url, random }: { readonly url: string; readonly random: Chance },
): Promise<Pilot | undefined> {
  const socket = connectSocket({ url, token: person.token, view: { ids: [] } })
  const lost = new Promise<undefined>((resolve) => {
    socket.on('disconnected', () => {
      // Each start has sockets of its own.
      socket.close()
      resolve(undefined)
    })
  })
  const welcome = await Promise.race([socket.opened.catch(() => undefined), lost])
  if (!welcome) return undefined
  const speaker = { flying, person, socket, random }
  return {
    person,
    done: fly(speaker),
    burst: () => Promise.all(Array.from({ length: BURST }, () => control(speaker))),
    close: () => socket.close(),
  }
}

interface Speaker {
  readonly flying: Flying
  readonly person: Person
  readonly socket: GameSocket
  readonly random: Chance
}

async function fly(speaker: Speaker): Promise<void> {
  const { flying, random } = speaker
  const { over } = flying
  while (!over.aborted) {
    await random.pick(SAYINGS)(speaker)
    await sleep(random.below(REST_MS_MAX), undefined, { signal: over }).catch(() => undefined)
  }
}

/** One of these is said at a time; what stands twice is said twice as often. */
const SAYINGS: readonly ((speaker: Speaker) => Promise<unknown>)[] = [
  control,
  control,
  control,
  (speaker) => Promise.all(Array.from({ length: BURST }, () => control(speaker))),
  rename,
  startManeuver,
  abortManeuver,
]

let orders = 0

/** A throttle that no other order has, most of them small. */
function freshThrust(random: Chance): number {
  return random.pick([0, 0, 0.01, 0.3]) + ++orders * 2 ** -40
}

function control({ flying, person, socket, random }: Speaker): Promise<void> {
  const thrust = freshThrust(random)
  const way = random.below(4)
  if (way === 0) {
    const [w, x, y, z] = [random.share(), random.share(), random.share(), 1]
    return order(flying, person, { thrust, turn: JSON.stringify([w, x, y, z]) }, () =>
      socket.control({ thrust_level: thrust, attitude: { w, x, y, z } }),
    )
  }
  if (way === 1) {
    const pointing = random.pick(POINTINGS)
    return order(flying, person, { thrust, turn: pointing }, () =>
      socket.control({ thrust_level: thrust, pointing }),
    )
  }
  return order(flying, person, { thrust }, () => socket.control({ thrust_level: thrust }))
}

function startManeuver({ flying, person, socket, random }: Speaker): Promise<void> {
  if (random.share() < 0.3) {
    return order(flying, person, { turn: 'rest' }, () =>
      socket.startManeuver({ maneuver: 'kill_rotation' }),
    )
  }
  const pointing = random.pick(['prograde', 'normal', 'hold'] as const)
  return order(flying, person, { turn: pointing }, () =>
    socket.startManeuver({ maneuver: 'attitude', pointing }),
  )
}

function abortManeuver({ flying, person, socket }: Speaker): Promise<void> {
  return order(flying, person, { turn: 'rest' }, () => socket.abortManeuver())
}

async function rename({ flying: { office }, person, socket, random }: Speaker): Promise<void> {
  const name = `${person.username} ${random.below(1e6)}`
  await ask(office, [['world', `name:${person.shipId}`, name]], () => socket.rename(name))
}

async function order(
  { office, book }: Flying,
  { playerId }: Person,
  words: Words,
  say: () => Promise<{ readonly game_time: string }>,
): Promise<void> {
  const entry = book.say(playerId, words)
  try {
    entry.accepted((await say()).game_time)
  } catch (error) {
    if (isRefusal(office, error)) entry.refused()
  }
}
