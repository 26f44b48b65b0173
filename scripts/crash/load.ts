/** Everybody who is in a game while it runs: pilots, and two who run it. */
import type { Chance } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Desk } from './office.ts'
import type { OrderBook } from './order-book.ts'
import { type Deed, PEOPLE_DEEDS, register } from './people.ts'
import { type Pilot, startPilot } from './pilots.ts'
import { WORLD_DEEDS } from './world-deeds.ts'

/** Rest between two deeds, from 0 [ms]. */
const REST_MS_MAX = 150

/** Registrations at a time: passwords are hashed one by one. */
const REGISTERING = 8

export interface Load {
  /** has something done next, and resolves as it is about to be asked for */
  provoke(deed: Deed): Promise<void>
  /** all pilots say several things at once */
  burst(): void
  /** ends all; resolves when every answer has come or is known never to come */
  end(): Promise<void>
}

/** Starts everybody; people whose accounts are gone have others in their place. */
export async function startLoad(
  desk: Desk,
  book: OrderBook,
  { url, clients }: { readonly url: string; readonly clients: number },
): Promise<Load> {
  const { office, random } = desk
  await fillPilots(desk, clients)
  const over = new AbortController()
  const flying = { office, book, over: over.signal }
  const connected = await Promise.all(
    office.pilots.map((person) => startPilot(flying, person, { url, random: random.branch() })),
  )
  const pilots = connected.filter((pilot): pilot is Pilot => pilot !== undefined)
  const wanted: { deed: Deed; begun: () => void }[] = []
  const world = deeds(desk, WORLD_DEEDS, over.signal, wanted)
  const people = deeds({ ...desk, random: random.branch() }, PEOPLE_DEEDS, over.signal, [])
  const bursts: Promise<unknown>[] = []
  return {
    provoke: (deed) => new Promise((begun) => void wanted.push({ deed, begun })),
    burst: () => void bursts.push(...pilots.map((pilot) => pilot.burst())),
    end: async () => {
      over.abort()
      for (const pilot of pilots) pilot.close()
      await Promise.all([world, people, ...bursts, ...pilots.map(({ done }) => done)])
    },
  }
}

async function fillPilots(desk: Desk, clients: number): Promise<void> {
  const { office } = desk
  office.pilots = office.pilots.filter(({ username }) =>
    office.ledger.isCertain(`account:${username}`, true),
  )
  let asked = office.pilots.length
  const lane = async (): Promise<void> => {
    while (asked++ < clients) {
      const person = await register(desk, 'pilot')
      if (!person) return
      office.pilots.push(person)
    }
  }
  await Promise.all(Array.from({ length: REGISTERING }, lane))
}

/** Does deeds one after the other until it is over. */
async function deeds(
  desk: Desk,
  table: ReadonlyMap<Deed, number>,
  over: AbortSignal,
  wanted: { deed: Deed; begun: () => void }[],
): Promise<void> {
  const { random } = desk
  while (!over.aborted) {
    const next = wanted.shift()
    const doing = (next?.deed ?? weighted(table, random))(desk)
    next?.begun()
    await doing
    await sleep(random.below(REST_MS_MAX), undefined, { signal: over }).catch(() => undefined)
  }
}

function weighted(table: ReadonlyMap<Deed, number>, random: Chance): Deed {
  const bag = [...table].flatMap(([deed, weight]) => Array.from({ length: weight }, () => deed))
  return random.pick(bag)
}
