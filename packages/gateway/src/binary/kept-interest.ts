import type { RosterEntry } from '@orrery/engine'
import type { Subscription } from '../frames/subscription.ts'
import { type Channel, listOf } from './channel.ts'
import type { ShipList } from './client-view.ts'
import type { Moment } from './moment.ts'

/** Least time between two decisions on which ships a client sees [ms]. */
const INTEREST_MS = 1000

/** Places of a list's ships by priority. */
interface Order {
  readonly ships: ShipList
  readonly places: Uint32Array
  readonly atMs: number
}

/** The ships that a client sees, and when that was decided. */
interface Decision {
  readonly ships: ShipList
  readonly subscription: Subscription
  readonly own: number | undefined
  readonly rosterVersion: number
  readonly atMs: number
}

/** Which ships one client sees, and in what order; decided again once a second at most. */
export class ClientInterest {
  #decision: Decision | undefined
  #order: Order | undefined

  /** The ships that the client sees now: all of a small system, or the last decision. */
  ships(
    channel: Channel,
    own: RosterEntry | undefined,
    subscription: Subscription,
    moment: Moment,
  ): ShipList {
    const { interests, nowMs } = moment
    if (channel.whole && isWhole(subscription)) return channel.whole
    const { rosterVersion } = channel
    const last = this.#decision?.own === own?.number ? this.#decision : undefined
    const base = { subscription, own: own?.number, rosterVersion }
    if (isOld(last, channel, subscription, nowMs) && moment.hasTime()) {
      const ships = sameList(last?.ships, interests.ships(channel, own, subscription))
      this.#decision = { ...base, ships, atMs: nowMs }
    } else if (!last) {
      this.#decision = { ...base, ships: listOf(own ? [own] : []), atMs: -Infinity }
    } else if (last.rosterVersion !== rosterVersion) {
      this.#decision = { ...last, ships: channel.present(last.ships), rosterVersion }
    }
    return this.#decision!.ships
  }

  /** Whether the client sees these ships now, without a new decision. */
  isSettled(
    ships: ShipList,
    channel: Channel,
    own: RosterEntry | undefined,
    { subscription, nowMs }: { readonly subscription: Subscription; readonly nowMs: number },
  ): boolean {
    if (channel.whole && isWhole(subscription)) return ships === channel.whole
    const last = this.#decision
    if (last?.ships !== ships || last.own !== own?.number) return false
    // A ship of it may be gone.
    if (last.rosterVersion !== channel.rosterVersion) return false
    return !isOld(last, channel, subscription, nowMs)
  }

  /** Places of these ships by priority; undefined while there was no time to sort them. */
  order(
    channel: Channel,
    own: RosterEntry | undefined,
    ships: ShipList,
    moment: Moment,
  ): Uint32Array | undefined {
    const { interests, nowMs } = moment
    const last = this.#order
    const isOld = !last || nowMs - last.atMs >= INTEREST_MS
    if (isOld && moment.hasTime()) {
      this.#order = { ships, places: interests.order(channel, own, ships), atMs: nowMs }
    }
    return this.#order?.ships === ships ? this.#order.places : undefined
  }
}

function isWhole({ ids, radius }: Subscription): boolean {
  return ids === undefined && radius === undefined
}

/** Whether it is to be decided again. */
function isOld(
  last: Decision | undefined,
  { rosterVersion }: Channel,
  subscription: Subscription,
  nowMs: number,
): boolean {
  if (last?.subscription !== subscription) return true
  const { ids, radius } = subscription
  // Ships that are named are the same wherever they are.
  const areNamed = ids !== undefined && radius === undefined
  return areNamed ? last.rosterVersion !== rosterVersion : nowMs - last.atMs >= INTEREST_MS
}

function sameList(before: ShipList | undefined, now: ShipList): ShipList {
  const isSame =
    before?.numbers.length === now.numbers.length &&
    before.numbers.every((number, place) => number === now.numbers[place])
  return isSame ? before : now
}
