/** Ships by rising number, each with its slot. */
export interface ShipList {
  readonly numbers: Uint32Array
  readonly slots: Int32Array
}

export const NO_SHIPS: ShipList = { numbers: new Uint32Array(0), slots: new Int32Array(0) }

/** In place of a publication: nothing of the ship was sent, or no record that still serves. */
export const UNMET = -1
export const UNSENT = 0

/** How long a client may take to receive a frame or to lose its connection unnoticed [ms]. */
export const JOINS_KEPT_MS = 120_000

/** Ships whose identity was sent with a publication. */
interface Joins {
  readonly publication: number
  readonly atMs: number
  readonly numbers: readonly number[] | Uint32Array
}

/** What one client knows of the ships in its view. */
export interface ClientView {
  ships: ShipList
  /** the publication as of which it knows them, but for what `each` states */
  sent: number
  /** by place in `ships`: the publication of the last record sent; undefined when none waits */
  each: Float64Array | undefined
  /** latest last */
  joins: Joins[]
  /** a resume from this publication or before is not possible */
  since: number
  /** the place from which waiting ships are served in turn */
  turn: number
}

/** @param publication  the last one before the view begins */
export function createClientView(publication: number): ClientView {
  return {
    ships: NO_SHIPS,
    sent: publication,
    each: undefined,
    joins: [],
    since: publication,
    turn: 0,
  }
}

/** Changes which ships are in view; returns the numbers of those that the client has to drop. */
export function changeShips(view: ClientView, next: ShipList): number[] {
  const before = view.ships.numbers
  const known = view.each
  if (next === view.ships) return []
  const { numbers } = next
  const each = new Float64Array(numbers.length)
  const left: number[] = []
  let hasJoined = false
  let i = 0
  const passTo = (end: number): void => {
    for (; i < before.length && before[i] < end; i++) {
      if (known?.[i] !== UNMET) left.push(before[i])
    }
  }
  for (let place = 0; place < numbers.length; place++) {
    passTo(numbers[place])
    if (before[i] === numbers[place]) {
      each[place] = known ? known[i] : view.sent
      i++
    } else {
      each[place] = UNMET
      hasJoined = true
    }
  }
  passTo(Infinity)
  view.ships = next
  view.each = known || hasJoined ? each : undefined
  return left
}

/** Notes that the identities of ships were sent with a publication. */
export function noteJoins(view: ClientView, joins: Joins): void {
  const { atMs, numbers } = joins
  const { joins: kept } = view
  while (kept.length > 0 && kept[0].atMs < atMs - JOINS_KEPT_MS) {
    view.since = kept.shift()!.publication
  }
  if (numbers.length > 0) kept.push(joins)
}

/**
 * Goes back to what a client had received when its connection was lost.
 *
 * @param publication  the last one it has
 * @returns false when that is not known any more
 */
export function rewind(view: ClientView, publication: number): boolean {
  if (publication <= view.since) return false
  const unmet = view.joins.filter((joins) => joins.publication > publication)
  view.joins = view.joins.slice(0, view.joins.length - unmet.length)
  const { numbers } = view.ships
  const each = view.each ?? (unmet.length > 0 ? new Float64Array(numbers.length) : undefined)
  if (each && !view.each) each.fill(view.sent)
  view.sent = Math.min(view.sent, publication)
  view.each = each
  if (!each) return true
  for (let place = 0; place < each.length; place++) {
    if (each[place] > publication) each[place] = UNSENT
  }
  for (const joins of unmet) {
    for (const number of joins.numbers) {
      const place = placeOf(view.ships, number)
      if (place >= 0) each[place] = UNMET
    }
  }
  return true
}

/** Place of a ship in a list; -1 when it is not in it. */
export function placeOf({ numbers }: ShipList, number: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (numbers[middle] === number) return middle
    if (numbers[middle] < number) low = middle + 1
    else high = middle - 1
  }
  return -1
}
