/** What pilots have told their ships, and whether the journal has what was accepted of it. */

/** What can be found again of a control order. */
export interface Words {
  /** unique among all orders of a run */
  readonly thrust?: number
  /** an attitude or a pointing, as text */
  readonly turn?: string
}

interface Order extends Words {
  /** place among the orders of its pilot */
  readonly place: number
  /** when it was accepted to act; undefined while nobody knows */
  gameTime?: string
  refused?: true
}

/** A control command as the journal has it. */
export interface KeptOrder extends Words {
  readonly pilot: string
  readonly gameTime: string
}

export class OrderBook {
  accepted = 0
  readonly #orders = new Map<string, Order[]>()

  /** An order is about to be sent. */
  say(pilot: string, words: Words): { accepted(gameTime: string): void; refused(): void } {
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

  /** Accepted orders that a journal lacks, and kept ones that nobody gave. */
  differences(kept: readonly KeptOrder[]): string[] {
    const rows = Map.groupBy(kept, ({ pilot }) => pilot)
    const lost = [...this.#orders].flatMap(([pilot, orders]) => {
      const own = Map.groupBy(rows.get(pilot) ?? [], ({ gameTime }) => gameTime)
      return lostOrders(orders, own).map((order) => `lost: ${pilot} ${JSON.stringify(order)}`)
    })
    const invented = [...rows].flatMap(([pilot, own]) => {
      const given = (this.#orders.get(pilot) ?? []).filter(({ refused }) => !refused)
      const thrusts = new Set(given.map(({ thrust }) => thrust))
      const strange = own.filter(({ thrust }) => !thrusts.has(thrust))
      return strange.map((row) => `nobody said: ${JSON.stringify(row)}`)
    })
    return [...lost, ...invented]
  }
}

/**
 * Orders for one moment merge, the later word winning. So each word of an accepted order is in a
 * row of its moment, or a later word of an order that has come to the same row.
 */
function lostOrders(
  orders: readonly Order[],
  kept: ReadonlyMap<string, readonly KeptOrder[]>,
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
