/** What orders would do, before they are given. */
import { type ReadonlySignal, effect, signal } from '@preact/signals'
import { ClientError } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { say } from '../languages/say.ts'
import { type AheadOptions, type SupposedOrder, flightsAhead } from './flight-ahead.ts'
import type { ForecastsOptions } from './forecasts.ts'
import { type OrbitAfter, orbitAfter } from './orbit-after.ts'
import type { OwnReadings } from '../readings/own-readings.ts'
import type { Session } from '../session/session.ts'
import { type WholeFlight, wholeFlight } from './whole-flight.ts'

/** What orders cost, and how they end as far as the forecast reaches. */
export interface Cost {
  /** of all burns on the way, those under way now included [m/s] */
  readonly deltaV: number
  /** from now on [kg]; NaN where the ship's fuel is not known */
  readonly fuel: number
  /** until the last burn or the maneuver ends [s] */
  readonly seconds: number
  /** `open`: the maneuver goes on at the end of the forecast */
  readonly end: 'completed' | 'failed' | 'impact' | 'open' | 'coasting'
  /** why it fails, as the protocol has it */
  readonly reason: string | undefined
  /** undefined where they end no burn, or in a dock or an impact */
  readonly after?: OrbitAfter
  /** what it would take where the fuel or the time does not suffice, about: Δv [m/s], time [s] */
  readonly needed?: number
  readonly neededSeconds?: number
  /** of the whole flight: Δv [m/s], time from now [s], what each may miss by while only reckoned */
  readonly flight?: {
    readonly deltaV: number
    readonly deltaVUncertainty: number
    readonly seconds: number
    readonly secondsUncertainty: number
  }
  /** its parts as reckoned, in order */
  readonly legs?: readonly CostLeg[]
}

export interface CostLeg {
  /** names of bodies; the second is missing of a leg to the target itself */
  readonly from: string
  readonly to: string | undefined
  /** [m/s] */
  readonly deltaV: number
  /** from now until it arrives [s] */
  readonly seconds: number
}

export interface Previewed {
  readonly orders: readonly SupposedOrder[]
  /** undefined while the first one is made */
  readonly forecast: Forecast | undefined
  readonly cost: Cost | undefined
  /** why it cannot be made, in a sentence */
  readonly problem: string | undefined
}

export interface Preview {
  /** undefined when nothing is previewed */
  readonly shown: ReadonlySignal<Previewed | undefined>
  /** previews orders in the place of any others, and again as time passes */
  show(orders: readonly SupposedOrder[]): void
  clear(): void
}

export interface PreviewOptions extends Pick<ForecastsOptions, 'session' | 'target'> {
  /** what the instruments show of the ship, if anything */
  readonly own: () => Tank | undefined
}

/** Masses [kg], and what the fuel is good for [m/s]. */
export type Tank = Pick<OwnReadings, 'mass' | 'fuel' | 'deltaV'>

/** What is shown is made again after so long [ms], and so many times what it takes. */
const AGAIN_MS = 3000
const REST = 5
const LOOK_MS = 500

/** Previews orders of the ship of each session; at most one is made at a time. */
export function createPreview({ session, target, own }: PreviewOptions): Preview {
  const shown = signal<Previewed | undefined>(undefined)
  let isBusy = false
  let dueMs = Infinity
  /** of which orders the server was asked for the whole flight, and what it found */
  let asked: readonly SupposedOrder[] | undefined
  let whole: WholeFlight | undefined
  const askWhole = async (orders: readonly SupposedOrder[]): Promise<void> => {
    asked = orders
    whole = undefined
    const found = session.value && (await wholeFlight(session.value, orders))
    if (asked !== orders) return
    whole = found
    const now = shown.value
    if (now?.orders === orders) shown.value = { ...now, cost: completed(now.cost) }
  }
  const completed = (cost: Cost | undefined): Cost | undefined => {
    const { clock } = session.value?.flight ?? {}
    if (!cost?.flight || !whole || !clock) return cost
    const seconds = (whole.endMs - clock.utc(clock.now())) / 1000
    const flight = { deltaV: whole.deltaV, deltaVUncertainty: 0, seconds, secondsUncertainty: 0 }
    return { ...cost, flight }
  }
  const make = async (): Promise<void> => {
    isBusy = true
    const startMs = performance.now()
    for (let done; shown.value && done !== shown.value.orders;) {
      const { orders } = shown.value
      done = orders
      const options = { hours: undefined, target: target.value, orders }
      const isWanted = (): boolean => shown.value?.orders === orders
      const made = await previewed(session.value, options, isWanted, own)
      // Meanwhile it may have been cleared, or replaced by another.
      if (!isWanted()) continue
      const isLong = made.cost?.end === 'open' && made.cost.flight !== undefined
      if (isLong && asked !== orders) void askWhole(orders)
      shown.value = { orders, ...made, cost: isLong ? completed(made.cost) : made.cost }
    }
    isBusy = false
    const nowMs = performance.now()
    dueMs = nowMs + Math.max(REST * (nowMs - startMs), AGAIN_MS)
  }
  const clear = (): void => {
    shown.value = undefined
  }
  effect(() => {
    if (!session.value) return undefined
    const timer = setInterval(() => {
      const isDue = shown.value?.forecast && performance.now() > dueMs
      if (isDue && !isBusy && !document.hidden) void make()
    }, LOOK_MS)
    return () => {
      clearInterval(timer)
      clear()
    }
  })
  return {
    shown,
    show: (orders) => {
      shown.value = { orders, forecast: undefined, cost: undefined, problem: undefined }
      if (!isBusy) void make()
    },
    clear,
  }
}

/** @param isWanted  else it ends early */
async function previewed(
  session: Session | undefined,
  options: AheadOptions,
  isWanted: () => boolean,
  own: PreviewOptions['own'],
): Promise<Omit<Previewed, 'orders'>> {
  try {
    if (!session) throw new ClientError('closed', say('No player is signed in'))
    const now = session.flight.clock.now()
    const tank = own()
    let forecast: Forecast | undefined
    for await (forecast of flightsAhead(session, options)) if (!isWanted()) break
    const cost = forecast && costOf(forecast, tank, now)
    const isUntold = cost?.reason === 'out_of_fuel' && cost.needed === undefined
    const needed = isUntold ? await deltaVNeeded(session, options, isWanted) : undefined
    const { bodies = [] } = session.flight.world.system ?? {}
    const after = forecast && orbitAfter(forecast, bodies)
    return {
      forecast,
      cost: cost && {
        ...cost,
        ...(after && { after }),
        ...(needed !== undefined && { needed }),
      },
      problem: undefined,
    }
  } catch (error) {
    const problem = error instanceof ClientError ? error.message : say('It cannot be forecast now')
    return { forecast: undefined, cost: undefined, problem }
  }
}

/** Several tanks: enough for most ways, and not so heavy that burns take much longer [kg]. */
const AMPLE_FUEL = 100_000

/** What orders take with ample fuel; undefined where they fail all the same. */
async function deltaVNeeded(
  session: Session,
  options: AheadOptions,
  isWanted: () => boolean,
): Promise<number | undefined> {
  let last: Forecast | undefined
  for await (last of flightsAhead(session, { ...options, fuel: AMPLE_FUEL })) {
    if (!isWanted()) return undefined
  }
  return last && costOf(last, undefined, last.from).end === 'completed' ? last.deltaV : undefined
}

/** Lattice indices per second of game time. */
const PER_SECOND = 64

/** @param tank  at the start; undefined where it is not known */
export function costOf(forecast: Forecast, tank: Tank | undefined, from: number): Cost {
  const { marks, deltaV } = forecast
  const maneuver = marks.findLast(({ kind }) => kind.startsWith('maneuver_'))
  const burn = marks.findLast(({ kind }) => kind === 'burn_end')
  const last = maneuver && maneuver.kind !== 'maneuver_phase' ? maneuver : burn
  return {
    deltaV,
    fuel: fuelSpent(forecast, tank),
    seconds: Math.max(((last?.index ?? from) - from) / PER_SECOND, 0),
    end: endOf(forecast, maneuver?.kind),
    reason: maneuver?.reason,
    ...(maneuver?.kind === 'maneuver_failed' && neededFor(maneuver)),
    ...flightOf(forecast, from),
  }
}

function neededFor({ deltaV, duration }: Forecast['marks'][number]): Partial<Cost> {
  if (deltaV === undefined || duration === undefined) return {}
  return { needed: deltaV, neededSeconds: duration }
}

function flightOf({ flightLegs }: Forecast, from: number): Pick<Cost, 'flight' | 'legs'> {
  const last = flightLegs.at(-1)
  if (!last) return {}
  const sum = (of: (leg: NonNullable<typeof last>) => number): number =>
    flightLegs.reduce((all, leg) => all + of(leg), 0)
  const seconds = (last.arrivesAt - from) / PER_SECOND
  return {
    flight: {
      deltaV: sum((leg) => leg.deltaV),
      deltaVUncertainty: sum((leg) => leg.deltaVUncertainty),
      seconds,
      secondsUncertainty: last.secondsUncertainty,
    },
    legs: flightLegs.map(({ fromBody, body, arrivesAt, deltaV }) => {
      return { from: fromBody, to: body, deltaV, seconds: (arrivesAt - from) / PER_SECOND }
    }),
  }
}

/** A docked ship is refuelled: what it has spent follows from its Δv. */
function fuelSpent({ deltaV, fuel, marks }: Forecast, tank: Tank | undefined): number {
  if (!tank) return NaN
  if (!marks.some(({ kind }) => kind === 'docked')) return tank.fuel - fuel
  if (!(tank.fuel > 0)) return 0
  const dry = tank.mass - tank.fuel
  return tank.mass * (1 - (dry / tank.mass) ** (deltaV / tank.deltaV))
}

function endOf({ end }: Forecast, maneuver: string | undefined): Cost['end'] {
  if (end === 'impact') return 'impact'
  if (maneuver === 'maneuver_completed') return 'completed'
  if (maneuver === 'maneuver_failed') return 'failed'
  return maneuver === undefined ? 'coasting' : 'open'
}
