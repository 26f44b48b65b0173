import {
  CHUNK_SLOTS,
  type CopiedOrder,
  type CopiedShip,
  RULES_PER_SHIP,
  type Stage,
  type StagePlace,
  advanceChunk,
  copiedShip,
  createStage,
  enterStage,
  shipCheck,
  slotIn,
  writeOrders,
} from '@orrery/sim'

/** Orders that can act at one index; the server lets 64 of a ship wait. */
const ORDERS_MAX = 128

/** An order of the ship and when it acts. */
export type TimedOrder = Pick<CopiedOrder, 'index' | 'order'>

/** One ship that flies alone, as it does in its world. */
export class ShipStage {
  readonly stage: Stage
  /** of the ship on the stage */
  readonly slot: number
  readonly #worldSlot: number
  #index = 0

  constructor(place: StagePlace, { slot }: CopiedShip) {
    const firstChunk = Math.floor(slot / CHUNK_SLOTS)
    this.#worldSlot = slot
    this.stage = createStage(place, {
      firstChunk,
      chunks: 1,
      orders: ORDERS_MAX,
      sightings: 1,
      rules: RULES_PER_SHIP,
    })
    this.slot = slotIn(this.stage.state, slot)
  }

  /** Lattice index up to which all is committed. */
  get index(): number {
    return this.#index
  }

  protected set index(n: number) {
    this.#index = n
  }

  /** Begins where the ship was at an index, before what is ordered there. */
  enter(ship: CopiedShip, index: number): void {
    enterStage(this.stage, [{ ...ship, orders: [] }], index)
    this.#index = index
  }

  /** The ship as it is at the index. */
  copied(): CopiedShip {
    const { slot, stage } = this
    const number = stage.state.ships.shipNumber[slot]
    const copy = copiedShip(stage.state, { shipId: '', number, slot }, [], [])
    return { ...copy, slot: this.#worldSlot }
  }

  /**
   * Flies on to an index.
   *
   * @param orders  by rising index; those up to the present one have acted
   */
  flyTo(n: number, orders: readonly TimedOrder[]): void {
    let from = 0
    while (from < orders.length && orders[from].index <= this.#index) from++
    while (from < orders.length && orders[from].index <= n) {
      let to = from
      while (to < orders.length && orders[to].index === orders[from].index) to++
      this.obey(orders.slice(from, to), orders[from].index)
      from = to
    }
    this.advance(n)
  }

  /** Lets orders of one index inside the open step act, and flies on to another index. */
  obey(orders: readonly TimedOrder[], n: number): void {
    const rows = orders.slice(0, ORDERS_MAX).map((order, sequence) => ({ ...order, sequence }))
    writeOrders(this.stage.state, [{ slot: this.#worldSlot, orders: rows }])
    this.advance(n)
  }

  protected advance(n: number): void {
    advanceChunk(this.stage.flight, 0, n)
    this.#index = Math.max(this.#index, n)
  }

  /** Writes the ship's check at the start of its open step; two words. */
  check(out: Uint32Array): void {
    shipCheck(out, this.stage.state, this.slot)
  }
}
