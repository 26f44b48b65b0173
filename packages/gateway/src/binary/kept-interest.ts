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
    const { ids, radius } = subscription
    if (channel.whole && ids === undefined && radius === undefined) return channel.whole
    const { rosterVersion } = channel
    const last = this.#decision?.own === own?.number ? this.#decision : undefined
    // Ships that are named are the same wherever they are.
    const isLate =
      ids !== undefined && radius === undefined
        ? last?.rosterVersion !== rosterVersion
        : nowMs - (last?.atMs ?? 0) >= INTEREST_MS
    const isOld = isLate || last?.subscription !== subscription
    const base = { subscription, own: own?.number, rosterVersion }
    if (isOld && moment.hasTime()) {
      const ships = sameList(last?.ships, interests.ships(channel, own, subscription))
      this.#decision = { ...base, ships, atMs: nowMs }
    } else if (!last) {
      this.#decision = { ...base, ships: listOf(own ? [own] : []), atMs: -Infinity }
    } else if (last.rosterVersion !== rosterVersion) {
      this.#decision = { ...last, ships: channel.present(last.ships), rosterVersion }
    }
    return this.#decision!.ships
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

function sameList(before: ShipList | undefined, now: ShipList): ShipList {
  const isSame =
    before?.numbers.length === now.numbers.length &&
    before.numbers.every((number, place) => number === now.numbers[place])
  return isSame ? before : now
}
