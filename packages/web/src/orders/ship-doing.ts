/** What the player's ship does by order: as the server states it, and what was ordered since. */
import { ClientError, type Order, type OwnShipState } from '@orrery/client'
import type { StatedShip } from '@orrery/client/flight'
import { type ReadonlySignal, computed, effect, signal } from '@preact/signals'
import type { Session } from '../session/session.ts'

/** What the hull is turned to; `sun` is the star of the system. */
export type Pointing = OwnShipState['steering']['pointing'] | 'sun'
export type ManeuverState = NonNullable<OwnShipState['maneuver']>

export interface ShipDoing {
  /** the ship as the server stated it last; undefined before that and without a ship */
  readonly ship: ReadonlySignal<StatedShip | undefined>
  /** whether the server has no ship of the account */
  readonly isShipless: ReadonlySignal<boolean>
  /** as ordered last */
  readonly pointing: ReadonlySignal<Pointing | undefined>
  readonly maneuver: ReadonlySignal<ManeuverState | undefined>
  /** id of the station that the ship is docked at */
  readonly dockedAt: ReadonlySignal<string | undefined>
  /** Takes note of an order that is given now. */
  note(order: Order): void
  /** Forgets what was noted: the server has refused it. */
  forget(): void
  /** Asks the server for the ship's state soon. */
  refresh(): void
}

/** Orders act a moment after they are accepted [ms]. */
const SOON_MS = 400

/** Between two readings while something is under way or an order is new [ms]. */
const BUSY_MS = 1000

/** A slow server states what was ordered after so long at most [ms]. */
const NEW_MS = 30_000
const NEW_AT_LEAST_MS = 3000

const NEWS = ['welcome', 'event', 'ship_assigned', 'restored', 'resumed'] as const

const SHIP_NEWS = ['welcome', 'ship_assigned'] as const

export function createShipDoing(session: ReadonlySignal<Session | undefined>): ShipDoing {
  const ship = signal<StatedShip | undefined>(undefined)
  const isShipless = signal(false)
  const ordered = signal<Pointing | undefined>(undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let orders = 0
  let orderedMs = -Infinity
  const read = async (from: Session): Promise<void> => {
    const before = orders
    let state: StatedShip | undefined
    try {
      state = await from.player.ship()
    } catch (error) {
      // Without an answer the last one stays.
      if (!(error instanceof ClientError && error.code === 'E006')) return
    }
    if (session.value !== from || orders !== before) return
    ship.value = state
    const passedMs = performance.now() - orderedMs
    const isOpen = ordered.value !== undefined && ordered.value !== statedPointing(from, state)
    if (!isOpen || passedMs >= NEW_MS) ordered.value = undefined
    const isNew = passedMs < (ordered.value === undefined ? NEW_AT_LEAST_MS : NEW_MS)
    if (state && (isNew || isBusy(state))) ask(BUSY_MS)
  }
  const ask = (afterMs: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (session.value) void read(session.value)
    }, afterMs)
  }
  effect(() => {
    isShipless.value = false
    ship.value = undefined
    ordered.value = undefined
    const from = session.value
    if (!from) return undefined
    const refresh = (): void => ask(SOON_MS)
    const stops = [
      ...NEWS.map((kind) => from.socket.on(kind, refresh)),
      ...SHIP_NEWS.map((kind) =>
        from.socket.on(kind, ({ ship_id: id }) => (isShipless.value = id === '')),
      ),
    ]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  })
  return {
    ship,
    isShipless,
    pointing: computed(() => ordered.value ?? statedPointing(session.value, ship.value)),
    maneuver: computed(() => ship.value?.maneuver ?? undefined),
    dockedAt: computed(() => ship.value?.docked_at ?? undefined),
    note: (order) => {
      orders++
      orderedMs = performance.now()
      ordered.value = pointingOf(order) ?? ordered.value
    },
    forget: () => {
      ordered.value = undefined
    },
    refresh: () => ask(SOON_MS),
  }
}

function isBusy({ maneuver, steering }: StatedShip): boolean {
  return maneuver !== null || steering.burn_delta_v !== null || steering.mode === 'turning'
}

function statedPointing(
  session: Session | undefined,
  ship: StatedShip | undefined,
): Pointing | undefined {
  const { pointing, target_body: body } = ship?.steering ?? {}
  const star = session?.flight.world.system?.bodies[0]
  return pointing === 'target' && body !== undefined && body === star?.name ? 'sun' : pointing
}

/** What an order turns the hull to; undefined when it leaves that as it is. */
function pointingOf(order: Order): Pointing | undefined {
  if (order.type === 'maneuver_abort') return 'rest'
  if (order.type !== 'control') return undefined
  const { angular_rate: rate, attitude, pointing } = order
  if (rate) return rate.x === 0 && rate.y === 0 && rate.z === 0 ? 'rest' : 'spin'
  if (attitude) return 'hold'
  return pointing
}
