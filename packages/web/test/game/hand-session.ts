// A session whose server and flight are moved by hand: a ship on a circle about Earth.
import {
  ClientError,
  type GameSocket,
  type Order,
  type OwnShipState,
  type PredictionRequest,
} from '@orrery/client'
import type { Forecast, ForecastRequest, ForecastState } from '@orrery/client/flight'
import type { Session } from '../../src/session/session.ts'

/** Lattice indices per hour. */
export const PER_HOUR: number = 64 * 3600

const GM = 3.986e14
const RADIUS = 7e6
const SPEED = Math.sqrt(GM / RADIUS)

/** One revolution of the ship [h]. */
export const REVOLUTION: number = (2 * Math.PI * RADIUS) / SPEED / 3600

const BODIES = [
  { name: 'Sun', radius: 7e8, gm: 1.3e20, parent: -1 },
  { name: 'Earth', radius: 6.4e6, gm: GM, parent: 0 },
]

type Listener = (message: never) => void

/** What listeners listen to. */
export class Source {
  readonly #entries = new Set<readonly [kind: string, listener: Listener]>()

  readonly on = (kind: string, listener: Listener): (() => void) => {
    const entry = [kind, listener] as const
    this.#entries.add(entry)
    return () => void this.#entries.delete(entry)
  }

  get count(): number {
    return this.#entries.size
  }

  say(kind: string, message: object = {}): void {
    for (const [listened, listener] of this.#entries) {
      if (listened === kind) listener(message as never)
    }
  }
}

export interface Sky {
  /** lattice index */
  time: number
  scale: number
  isKnown: boolean
  /** of the own ship */
  r: readonly number[]
  body: string
  system: string
  /** what the server states of the ship */
  state: () => Promise<OwnShipState>
  take: (order: Order) => Promise<void>
  foresee: (request: ForecastRequest) => Promise<Forecast>
  /** what the server predicts */
  predict: GameSocket['predict']
}

export interface HandSession {
  readonly session: Session
  readonly sky: Sky
  readonly socket: Source
  readonly ship: Source
  readonly world: Source
  readonly given: Order[]
  readonly asked: ForecastRequest[]
  /** times that forecasts were prepared */
  readonly prepared: () => number
  /** a forecast as long as it is asked for, of a ship that stays where it is */
  readonly forecast: (request: ForecastRequest, more?: Partial<Forecast>) => Forecast
}

export function createHandSession(): HandSession {
  const [socket, ship, world] = [new Source(), new Source(), new Source()]
  const given: Order[] = []
  const asked: ForecastRequest[] = []
  let prepared = 0
  const forecast: HandSession['forecast'] = ({ hours }, more = {}) => {
    const from = more.from ?? sky.time
    const to = more.to ?? from + hours * PER_HOUR
    const stateAt = (out: ForecastState, time: number): boolean => {
      if (!(time >= from && time <= to)) return false
      out.r.set([RADIUS, 0, 0])
      out.v.set([0, SPEED, 0])
      out.body = 'Earth'
      out.reference = 1
      return true
    }
    const flown = { shipId: 'own', systemId: sky.system, deltaV: 0, fuel: 4000, legs: [] }
    const extent = {
      from,
      to,
      end: 'asked',
      isExact: true,
      marksLeftOut: 0,
      flightLegs: [],
    } as const
    return { ...flown, ...extent, marks: [], stateAt, ...more }
  }
  const sky: Sky = {
    time: 0,
    scale: 1,
    isKnown: true,
    r: [RADIUS, 0, 0],
    body: 'Earth',
    system: 'sol',
    state: () => new Promise(() => undefined),
    take: () => Promise.resolve(),
    foresee: (request) => Promise.resolve(forecast(request)),
    predict: () => Promise.reject(new ClientError('E004', 'Others wait')),
  }
  const place = (out: ForecastState & { thrustLevel?: number }, id: string): boolean => {
    if (!sky.isKnown) return false
    out.r.set(id === 'own' ? sky.r : [0, 7e6, 0])
    out.v.set([0, SPEED, 0])
    out.body = sky.body
    out.reference = BODIES.findIndex(({ name }) => name === sky.body)
    out.thrustLevel = 0.25
    return true
  }
  const stations = [{ id: 'station-1', kind: 'station', name: 'Gateway' }]
  const flight = {
    clock: {
      now: () => sky.time,
      utc: (time: number) => (1000 * time) / 64,
      get scale() {
        return sky.scale
      },
    },
    ship: {
      id: 'own',
      mode: { mode: 'flown' },
      drift: 'matched',
      on: ship.on,
      order: (order: Order) => {
        given.push(order)
        return sky.take(order)
      },
    },
    world: {
      on: world.on,
      get system() {
        return { id: sky.system, bodies: BODIES }
      },
      shipAt: place,
      positionAt: place,
      ship: (id: string) =>
        ['ship-1', 'own'].includes(id) ? { id, name: 'Heron', shipClass: 'courier' } : undefined,
      objects: () => stations,
      rows: () => [],
    },
    forecast: (_: string, request: ForecastRequest) => {
      asked.push(request)
      return sky.foresee(request)
    },
    prepareForecasts: () => prepared++,
  }
  const session = {
    account: { username: 'Ida', token: 'a.b.c', shipId: 'own' },
    player: { ship: () => sky.state() },
    socket: {
      on: socket.on,
      gameTimeNow: () => 0,
      predict: (request: PredictionRequest) => sky.predict(request),
    },
    flight,
  } as unknown as Session
  const sources = { socket, ship, world }
  return { session, sky, ...sources, given, asked, prepared: () => prepared, forecast }
}
