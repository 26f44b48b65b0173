// A flight whose ship, clock and forecasts the test scripts.
import type { Flight, Forecast, ForecastRequest, ShipSample } from '@orrery/client/flight'

/** Lattice indices per hour. */
export const PER_HOUR: number = 64 * 3600

export const SHIP = 'ship-1'

type Sample = Pick<ShipSample, 'r' | 'v' | 'body' | 'reference'>

export class ScriptedFlight {
  /** lattice index */
  now: number = 64
  /** where the ship is [m], whatever its speed */
  place: readonly [number, number, number] = [7e6, 0, 0]
  speed: number = 7500
  body: string = 'Globe'
  isKnown: boolean = true
  readonly system: { id: string; readonly bodies: readonly object[] } = {
    id: 'pair',
    bodies: [
      { name: 'Globe', parent: -1, gm: 4e14, radius: 6.4e6 },
      { name: 'Moon', parent: 0, gm: 5e12, radius: 1.7e6 },
    ],
  }
  readonly asked: ForecastRequest[] = []
  /** forecasts that were prepared for */
  prepared: number = 0
  /** what a forecast is beside its extent */
  answer: (request: ForecastRequest) => Partial<Forecast> | Promise<Partial<Forecast>> = () => ({})
  readonly flight: Flight
  readonly #listeners = new Map<string, Set<(event: unknown) => void>>()

  constructor() {
    const on = (part: string) => (kind: string, listener: (event: unknown) => void) => {
      const key = `${part} ${kind}`
      const all = this.#listeners.get(key) ?? new Set()
      this.#listeners.set(key, all.add(listener))
      return () => all.delete(listener)
    }
    this.flight = {
      clock: { now: () => this.now, utc: (time: number) => time, scale: 1 },
      ship: { id: SHIP, on: on('ship') },
      world: {
        on: on('world'),
        shipAt: (out: Sample, id: string) => id === SHIP && this.isKnown && this.#write(out),
        ship: (id: string) => (id === 'ship-2' ? { name: 'Lambert' } : undefined),
        objects: () => [
          { id: 'station-1', name: 'Gateway' },
          { id: 'gate-1', name: 'Gate' },
        ],
        rows: () => [],
        system: this.system,
      },
      forecast: async (id: string, request: ForecastRequest) => this.#forecast(id, request),
      prepareForecasts: () => this.prepared++,
    } as unknown as Flight
  }

  emit(part: 'world' | 'ship', kind: string, event: unknown = {}): void {
    for (const listener of this.#listeners.get(`${part} ${kind}`) ?? []) listener(event)
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0)
  }

  async #forecast(shipId: string, request: ForecastRequest): Promise<Forecast> {
    this.asked.push(request)
    const { now: from, place, body } = this
    const extent = { from, to: from + request.hours * PER_HOUR, end: 'asked' } as const
    const flown = {
      shipId,
      systemId: this.system.id,
      legs: [],
      marks: [],
      marksLeftOut: 0,
      flightLegs: [],
      steps: 1,
    }
    const spent = { deltaV: 0, fuel: 1, isExact: true }
    const forecast: Forecast = {
      ...flown,
      ...spent,
      ...extent,
      stateAt: (out, time) =>
        time >= forecast.from && time <= forecast.to && write(out, place, body),
      ...(await this.answer(request)),
    }
    return forecast
  }

  #write(out: Sample): boolean {
    out.v.set([0, this.speed, 0])
    return write(out, this.place, this.body)
  }
}

function write(out: Sample, place: readonly number[], body: string): boolean {
  out.r.set(place)
  out.reference = 0
  out.body = body
  return true
}
