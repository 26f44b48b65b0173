import type { AcceptedMessage, EventMessage, Places } from '@orrery/protocol'
import {
  ACTIVITIES,
  CONTROL_QUANTA,
  DOCKED,
  IDLE,
  ORDERS_UNDOCK,
  type OrderPlaces,
  PLAN,
  PLAN_DOUBLES,
  type ShipEvent,
  boundaryAtOrAfter,
  isDocked,
  takeEvents,
} from '@orrery/sim'
import { ClientError } from '../client-error.ts'
import { type Listeners, createListeners } from '../listeners.ts'
import { type OwnPlace, readStage } from '../pilot/own-ship.ts'
import { flownOrder } from '../pilot/flown-order.ts'
import type { Seed } from '../pilot/seed-reading.ts'
import type { OwnShipView, ShipMode } from '../pilot/own-ship-view.ts'
import { ShipStage, type TimedOrder } from '../pilot/ship-stage.ts'
import type { FlownShip, Scene } from '../scene/scene.ts'
import type { ShipSample } from '../scene/world.ts'
import type { Order } from '../socket/game-socket.ts'
import { type LastManeuver, type StatedShip, statedShip, timestamp } from './stated-ship.ts'

/** What happens in a practice. */
export interface PracticeEvents {
  /** to the ship, as the server would send it */
  readonly event: EventMessage
  /** an order was taken */
  readonly accepted: AcceptedMessage
}

/** What a practised ship is made of. */
export interface PractisedOptions {
  readonly id: string
  readonly scene: Scene
  readonly place: OwnPlace
  readonly places: Places & OrderPlaces
  readonly seed: Seed
  /** Unix milliseconds of a lattice index */
  readonly utc: (time: number) => number
}

const NO_SHIPS = 'Other ships are not part of a practice'

/** A ship that is flown here alone: orders of it go nowhere else. */
export class PractisedShip implements OwnShipView, FlownShip {
  readonly id: string
  readonly mode: ShipMode = { mode: 'practised' }
  readonly drift = 'matched'
  readonly modules = {}
  readonly listeners: Listeners<PracticeEvents> = createListeners()
  readonly flown: ShipStage
  readonly #options: PractisedOptions
  /** by rising index; those that have not acted */
  #orders: TimedOrder[]
  /** the name of the last activity of the autopilot */
  #maneuver = ''
  #since = 0
  #last: LastManeuver | undefined

  constructor(options: PractisedOptions) {
    const { id, place, seed } = options
    this.id = id
    this.#options = options
    this.flown = new ShipStage(place, seed.ship)
    this.flown.enter(seed.ship, seed.index)
    this.#orders = [...seed.ship.orders]
    this.#noteActivity()
  }

  stateAt(out: ShipSample, time: number): boolean {
    return readStage(out, this.flown, time)
  }

  /** The ship where it has been flown to, with the orders that wait. */
  seed(): Seed {
    const { flown } = this
    const orders = this.#orders.map((order, sequence) => ({ ...order, sequence }))
    return { index: flown.index, ship: { ...flown.copied(), orders } }
  }

  order(order: Order): Promise<AcceptedMessage> {
    try {
      return Promise.resolve(this.#take(order))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Nothing of these happens to it. */
  on(): () => void {
    return () => undefined
  }

  /** Flies on to a whole index, around which the massive bodies are known. */
  flyTo(index: number): void {
    const { state } = this.flown.stage
    this.flown.flyTo(index, this.#orders)
    this.#orders = this.#orders.filter((order) => order.index > index)
    this.#noteActivity()
    if (state.eventCount[0] === 0) return
    for (const event of takeEvents(state).events) {
      // The server keeps these to itself, too.
      if (event.kind !== 'maneuver_sample') this.#report(event)
    }
  }

  /** Forgets what it was ordered: it begins elsewhere. */
  forget(): void {
    this.#orders = []
    this.#maneuver = ''
    this.#last = undefined
  }

  stated(): StatedShip {
    const { scene } = this.#options
    return statedShip(this.flown, scene.objects(), { last: this.#last, utc: this.#options.utc })
  }

  #take(order: Order): AcceptedMessage {
    if ('target_ship_id' in order && order.target_ship_id !== undefined) {
      throw new ClientError('practice', NO_SHIPS)
    }
    const { flown } = this
    const row = flownOrder(order, this.#options.places, this.#isDocked)
    const next = boundaryAtOrAfter(flown.index + 1, CONTROL_QUANTA)
    const index = Math.max(next, this.#orders.at(-1)?.index ?? 0)
    this.#orders.push({ order: row, index })
    const accepted = {
      type: 'accepted',
      id: index,
      index,
      game_time: this.#timestamp(index),
    } as const
    this.listeners.emit('accepted', accepted)
    return accepted
  }

  /** Whether it takes no other order than to undock, or will by the time of the next one. */
  get #isDocked(): boolean {
    const { slot, stage } = this.flown
    const undocks = this.#orders.some(({ order }) => order['orderFields'][0] === ORDERS_UNDOCK)
    return isDocked(stage.state.ships, slot) && !undocks
  }

  /** At the end of a maneuver its name is gone from the state. */
  #noteActivity(): void {
    const { activity, plan } = this.flown.stage.state.ships
    const { slot } = this.flown
    const now = activity[slot]
    if (now === IDLE || now === DOCKED) return
    this.#maneuver = ACTIVITIES[now]
    this.#since = plan[PLAN_DOUBLES * slot + PLAN.since]
  }

  #report({ kind, index, body, rail, plan }: ShipEvent): void {
    const { scene } = this.#options
    const { bodies } = this.flown.stage.state.system
    const station = scene.objects().find(({ row }) => row === rail)?.id
    const phase = plan?.phase
    const text = kind === 'maneuver_failed' ? plan?.reason : phase
    this.#noteEnd(kind, index, plan)
    this.listeners.emit('event', {
      type: 'event',
      event: kind,
      ship_id: this.id,
      game_time: this.#timestamp(index),
      body: bodies[body].name,
      ...(station !== undefined && { station_id: station }),
      ...(phase && { maneuver: this.#maneuver, phase }),
      ...(plan && { from_phase: plan.fromPhase, status_text: wordsOf(text) }),
      ...(kind === 'maneuver_failed' && plan && { reason: plan.reason }),
    })
  }

  #noteEnd(kind: ShipEvent['kind'], index: number, plan: ShipEvent['plan']): void {
    if (!plan || (kind !== 'maneuver_completed' && kind !== 'maneuver_failed')) return
    const hasFailed = kind === 'maneuver_failed'
    this.#last = {
      maneuver: this.#maneuver,
      outcome: hasFailed ? 'failed' : 'completed',
      phase: plan.phase,
      reason: hasFailed ? plan.reason : null,
      status_text: hasFailed ? wordsOf(plan.reason) : null,
      since: this.#timestamp(this.#since),
      ended_at: this.#timestamp(index),
      target_id: null,
      target_body: null,
    }
  }

  #timestamp(index: number): string {
    return timestamp(this.#options.utc(index))
  }
}

/** Such as `out of fuel`. */
function wordsOf(name: string = ''): string {
  return name.replaceAll('_', ' ')
}
