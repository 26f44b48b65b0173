import type { Channel } from './channel.ts'
import { type ClientView, UNMET, UNSENT } from './client-view.ts'
import { rowBytes } from './frame-pieces.ts'
import { IDENTITY_BYTES } from './ship-identities.ts'

/** Share of an allowance that goes to the first in order; the rest goes to ships in turn. */
const ORDERED_SHARE = 0.75

/** Less than the publication that a whole record was sent instead of, until a tick has come. */
const HALF = 0.5

const NOT_DUE = 0
const AS_PUBLISHED = 1
const WHOLE = 2
const WITH_IDENTITY = 3

const WHOLE_BYTES = rowBytes('arcs') + rowBytes('hulls')

/** Ships of one view that are sent with a publication, by their slots. */
export interface Selection {
  /** whose published rows the client can use */
  readonly published: number[]
  /** that get a whole record */
  readonly whole: number[]
  /** of those, the numbers of ships that the client does not know */
  readonly unmet: number[]
  /** ships that the allowance has delayed */
  readonly waiting: number
}

/** What a selection is made by. */
export interface SelectionRule {
  /** place of the own ship; -1 none: it is sent in any case */
  readonly own: number
  /** places by priority, where not all can be sent; undefined for the order of the numbers */
  readonly order: () => Uint32Array | undefined
  /** bytes that rows may take */
  readonly allowance: number
}

// What is due for each place of a view; as long as the largest view so far.
let due = new Uint8Array(256)

/** Selects what a client is sent of a channel's publication, and notes it as sent. */
export function selectShips(
  view: ClientView,
  channel: Channel,
  { own, order, allowance }: SelectionRule,
): Selection {
  const { ships } = view
  const count = ships.numbers.length
  if (due.length < count) due = new Uint8Array(2 * count)
  const selection: Omit<Selection, 'waiting'> = { published: [], whole: [], unmet: [] }
  const total = findDue(view, channel)
  const { number } = channel.publication
  let waiting = total.ships
  let left = allowance
  let { each } = view
  const { changedAt, expected } = channel.trajectories
  if (total.bytes > allowance || total.expected > 0)
    each ??= new Float64Array(count).fill(view.sent)
  const take = (place: number, limit: number): boolean => {
    if (due[place] === NOT_DUE) return true
    const bytes = bytesOf(channel, view, place)
    if (bytes > limit) return false
    left -= bytes
    waiting--
    takePlace(selection, view, place)
    const slot = ships.slots[place]
    // A whole record does not hold what the ship is expected to do.
    const isWhole = due[place] !== AS_PUBLISHED && expected.has(slot)
    if (each) each[place] = isWhole ? changedAt[slot] - HALF : number
    due[place] = NOT_DUE
    return true
  }
  if (own >= 0) take(own, Infinity)
  if (total.bytes <= allowance) {
    for (let place = 0; place < count; place++) take(place, Infinity)
  } else {
    const inTurn = (1 - ORDERED_SHARE) * left
    const places = order()
    for (let i = 0; i < count; i++) if (!take(places?.[i] ?? i, left - inTurn)) break
    for (let i = 0; i < count; i++) {
      const place = (view.turn + i) % count
      if (take(place, left)) continue
      view.turn = place
      break
    }
  }
  view.sent = number
  view.each = waiting > 0 || total.expected > 0 ? each : undefined
  return { ...selection, waiting }
}

/** Ships that are due, and how many have, or get, a whole record that is not all there is. */
interface Due {
  ships: number
  bytes: number
  expected: number
}

/** Marks what is due; returns how much it is. */
function findDue(view: ClientView, channel: Channel): Due {
  const { each, sent } = view
  const { numbers, slots } = view.ships
  const { changedAt, changedBefore, expected } = channel.trajectories
  const { number } = channel.publication
  const total: Due = { ships: 0, bytes: 0, expected: 0 }
  const held = channel.world.held.byNumber
  for (let place = 0; place < numbers.length; place++) {
    const slot = slots[place]
    const last = each ? each[place] : sent
    const changed = changedAt[slot]
    due[place] = NOT_DUE
    if (last > UNSENT && changed <= last) continue
    if (held.size > 0 && held.has(numbers[place])) {
      // Its record waits; what the client knows of the ship stays noted.
      total.expected++
      continue
    }
    const isExpected = expected.size > 0 && expected.has(slot)
    if (last === changed - HALF && isExpected) {
      total.expected++
      continue
    }
    const isChained = last > UNSENT && changed === number && changedBefore[slot] <= last
    due[place] = last === UNMET ? WITH_IDENTITY : isChained ? AS_PUBLISHED : WHOLE
    if (isExpected && !isChained) total.expected++
    total.ships++
    total.bytes += bytesOf(channel, view, place)
  }
  return total
}

function bytesOf(channel: Channel, { ships }: ClientView, place: number): number {
  if (due[place] === AS_PUBLISHED) return channel.rows().bytes(ships.slots[place])
  return due[place] === WHOLE ? WHOLE_BYTES : WHOLE_BYTES + IDENTITY_BYTES
}

function takePlace(
  selection: Omit<Selection, 'waiting'>,
  { ships }: ClientView,
  place: number,
): void {
  const slot = ships.slots[place]
  if (due[place] === AS_PUBLISHED) selection.published.push(slot)
  else selection.whole.push(slot)
  if (due[place] === WITH_IDENTITY) selection.unmet.push(ships.numbers[place])
}
