/**
 * The world of a game as it is at any time near the present, from the trajectories that a binary
 * socket brings.
 *
 * ```ts
 * const flight = openFlight({ socket: connectSocket({ url, token, wire: 'binary' }) })
 * const { world, clock } = flight
 * const state = createShipSample()
 * if (world.shipAt(state, shipId, clock.now())) console.log(state.body, state.r)
 * ```
 *
 * @module
 */
export type {
  Drift,
  OwnShipEvents,
  OwnShipView,
  ShipMode,
  UnflownReason,
} from '../pilot/own-ship-view.ts'
export type { FlownModules, ModuleRows, ModuleShip, OwnModule } from '../pilot/flown-modules.ts'
export type { SeedFault } from '../pilot/seed-reading.ts'
export { type FlightOptions, type LiveFlight, openFlight } from './open-flight.ts'
export type { Practice, PracticeEvents, PracticeStart, StatedShip } from './practice-flight.ts'
export {
  type DeclaredModules,
  type ModulesClient,
  createModulesClient,
} from '../requests/modules-client.ts'
export type { Flight, FlightEvents, GameClock } from './flight.ts'
export type { Forecast, ForecastState } from '../forecast/forecast.ts'
export type {
  Body,
  EquatorialOrbit,
  EventKind,
  LagrangePoint,
  Leg,
  Load,
  Mark,
  NamedObject,
  Oblateness,
  Phase,
  PlannedLeg,
  Prediction,
  PredictionEnd,
  Rail,
  Reason,
  ShipClass,
  StarSystem,
  StateVector,
} from '@orrery/sim'
export type { ForecastRequest } from '../forecast/forecasts.ts'
export {
  type Completeness,
  type LagrangePlace,
  type Ship,
  type ShipSample,
  type World,
  type WorldEvents,
  createShipSample,
} from '../scene/world.ts'
