import type { Forecast } from '../forecast/forecast.ts'
import type { ForecastRequest } from '../forecast/forecasts.ts'
import type { OwnShipView } from '../pilot/own-ship-view.ts'
import type { World } from '../scene/world.ts'

/** The game's clock, in lattice indices: 64 to the second. */
export interface GameClock {
  /**
   * of what to show now, need not be whole; NaN before it is known. It runs backwards only where it
   * leads the server's by more than 3 s, as after time slows.
   */
  now(): number
  /** of the server, which `now` leads by what an order takes to get there */
  serverNow(): number
  /** game seconds per second; 0 while the game stands */
  readonly scale: number
  /** for how long `now` stands until the server's clock reaches it [s]; 0 while it runs */
  readonly waitSeconds: number
  /** Unix milliseconds of a lattice index */
  utc(time: number): number
}

/** What happens to a flight. */
export interface FlightEvents {
  /** A defect: a part of the world could not be read or flown, and is asked for again. */
  readonly fault: { readonly error: unknown }
}

/** A game as it is flown in: all that is in view, at any time near the present. */
export interface Flight {
  readonly world: World
  readonly clock: GameClock
  /** one's own */
  readonly ship: OwnShipView
  /**
   * Resolves once the time is known, the star system, and one's own ship if there is one; rejects
   * with a {@link ClientError} when the socket or the flight is closed before.
   */
  readonly ready: Promise<void>
  /**
   * What a ship of the world will fly, made in a worker. One of which only the trajectory is known
   * coasts.
   *
   * @throws {ClientError} E001 or E002 for what cannot be asked, 'forecast' when it cannot
   *   be made, 'closed' after `close`
   */
  forecast(shipId: string, request: ForecastRequest): Promise<Forecast>
  /** Lets the worker make what a first forecast would else wait a second for. */
  prepareForecasts(): void
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof FlightEvents>(
    kind: Kind,
    listener: (event: FlightEvents[Kind]) => void,
  ): () => void
  /** Ends it; the socket stays. */
  close(): void
}
