/** The orders that pilots sent, to be compared with the journal. */

/** The fields by which a control order is found in the journal. */
export interface OrderFields {
  /** unique among all orders of a run */
  readonly thrust?: number
  /** an attitude, a pointing or a maneuver, as text */
  readonly turn?: string
}

interface Order extends OrderFields {
  /** place among the orders of its pilot */
  readonly place: number
  /** game time of the answer; undefined without an answer */
  gameTime?: string
  refused?: true
}

/** A control command of the journal. */
export interface StoredOrder extends OrderFields {
  readonly pilot: string
  readonly gameTime: string
}

export class OrderHistory {
  accepted = 0
  readonly #orders = new Map<string, Order[]>()

  /** Registers an order before it is sent. */
  say(pilot: string, words: OrderFields): { accepted(gameTime: string): void; refused(): void } {
    const orders = this.#orders.get(pilot) ?? []
    this.#orders.set(pilot, orders)
    const order: Order = { ...words, place: orders.length }
    orders.push(order)
    return {
      accepted: (gameTime) => {
        order.gameTime = gameTime
        this.accepted++
      },
      refused: () => {
        order.refused = true
      },
    }
  }

  /** Accepted orders that a journal lacks, and stored ones that were not sent. */
  differences(kept: readonly StoredOrder[]): string[] {
    const rows = Map.groupBy(kept, ({ pilot }) => pilot)
    const lost = [...this.#orders].flatMap(([pilot, orders]) => {
      const own = Map.groupBy(rows.get(pilot) ?? [], ({ gameTime }) => gameTime)
      return lostOrders(orders, own).map((order) => `lost: ${pilot} ${JSON.stringify(order)}`)
    })
    const invented = [...rows].flatMap(([pilot, own]) => {
      const given = (this.#orders.get(pilot) ?? []).filter(({ refused }) => !refused)
      const thrusts = new Set(given.map(({ thrust }) => thrust))
      const unsent = own.filter(({ thrust }) => !thrusts.has(thrust))
      return unsent.map((row) => `not sent: ${JSON.stringify(row)}`)
    })
    return [...lost, ...invented]
  }
}

/**
 * Orders of one moment merge, and the later field wins. So each field of an accepted order is in a
 * row of its moment, unless a later order set that field in the same row.
 */
function lostOrders(
  orders: readonly Order[],
  kept: ReadonlyMap<string, readonly StoredOrder[]>,
): Order[] {
  const answered = Map.groupBy(orders, ({ gameTime = '' }) => gameTime)
  const unanswered = (answered.get('') ?? []).filter(({ refused }) => !refused)
  const isKept = (order: Order, gameTime: string): boolean => {
    const rows = kept.get(gameTime) ?? []
    const later = [...(answered.get(gameTime) ?? []), ...unanswered].filter(
      ({ place }) => place >= order.place,
    )
    return (['thrust', 'turn'] as const).every(
      (word) =>
        order[word] === undefined ||
        rows.some((row) => row[word] !== undefined && later.some((one) => one[word] === row[word])),
    )
  }
  return orders.filter((order) => order.gameTime !== undefined && !isKept(order, order.gameTime))
}
