/**
 * The pure fixed-step core: massive bodies on their own lattice, ships on another, the same
 * bits wherever it runs. No input or output, no clock, no Node.
 */
export { assertExactArithmetic } from './arithmetic.ts'
export { PHYSICS } from './physics.ts'
export { SimError, type SimErrorCode } from './sim-error.ts'
export {
  J2000_UNIX_MS,
  TT_MINUS_TAI,
  latticeFromUtc,
  quantaFromTdb,
  taiMinusUtc,
  utcFromLattice,
} from './time-scales.ts'
export {
  type Ephemeris,
  type MassiveState,
  NODE_QUANTA,
  NODE_SECONDS,
  attachEphemeris,
  bodyState,
  nodeState,
  bodyStates,
  ephemerisLength,
} from './ephemeris/ephemeris.ts'
export { type Body, type Oblateness, type StarSystem } from './ephemeris/star-system.ts'
export {
  ANCHOR_NODES,
  type Integration,
  anchorAt,
  createIntegration,
  driftAt,
  extendEphemeris,
} from './ephemeris/integration.ts'
export { type Drift, type Invariants, drift, massiveInvariants } from './ephemeris/invariants.ts'
export {
  type MassiveKernel,
  copyMassiveState,
  createMassiveState,
  massiveKernel,
  massiveStateAt,
  stepMassive,
} from './ephemeris/massive-step.ts'
export {
  type ForceModel,
  SPEED_OF_LIGHT,
  actingPlaces,
  createForceModel,
} from './ephemeris/force-model.ts'
export {
  type CollocationScratch,
  createCollocationScratch,
  stepCollocation,
} from './ephemeris/gauss-legendre.ts'
export {
  type CollocationMethod,
  GL16,
  LEAPFROG,
  type Method,
  SRKN11B,
  SRKN14A,
  SRKN6B,
} from './ephemeris/methods.ts'
export {
  FAR_BEGIN_NODES,
  type FarSystem,
  attachFarEphemeris,
  farEphemerisLength,
  farIntegration,
  farSystem,
} from './ephemeris/far-ephemeris.ts'
export {
  BEAT_QUANTA,
  BLOCK_QUANTA,
  CHUNK_SLOTS,
  CONTROL_QUANTA,
  QUANTA_PER_SECOND,
  boundaryAfter,
  boundaryAtOrAfter,
  chunkPhase,
} from './lattice.ts'
export { type Control, merged, plainControl, standsAlone, watchedBy } from './commands/control.ts'
export {
  BURN_POINTINGS,
  type BurnNode,
  type FrameBurn,
  type PointedBurn,
  writeNodes,
} from './commands/burn-node.ts'
export type { FlownManeuver, ManeuverOrder } from './commands/maneuver-order.ts'
export { type OrderPlaces, writeControl } from './commands/order-row.ts'
export { type Row, copiedRow, writeRow } from './forecast/copied-rows.ts'
export {
  COPIED_COLUMNS,
  type CopiedOrder,
  type CopiedRule,
  type CopiedShip,
  copiedShip,
  slotIn,
} from './forecast/copied-ship.ts'
export type { ForecastTarget, ForecastTask } from './forecast/forecast-task.ts'
export {
  type Leg,
  type Mark,
  type PlannedLeg,
  type NamedObject,
  type Prediction,
  type PredictionEnd,
  RECORDS_MAX,
  RECORD_DOUBLES,
} from './forecast/prediction.ts'
export {
  type Stage,
  type StagePlace,
  type StageRoom,
  createStage,
  enterStage,
  roomOf,
  stateOf,
  writeOrders,
} from './forecast/stage.ts'
export { type StepListener, forecast, slicedForecast } from './forecast/trajectory.ts'
export { WaitingShips } from './forecast/waiting-ships.ts'
export { writtenOrder } from './forecast/written-order.ts'
export { type StateVector, createStateVector } from './math/state-vector.ts'
export {
  ELEMENTS,
  SLOW_ELEMENTS,
  equinoctialElements,
  equinoctialState,
  gaussRates,
} from './orbits/equinoctial.ts'
export { fromFrame } from './guidance/burn-frame.ts'
export { type BurnSpan, burnSpan, pointsAlike } from './guidance/burn-span.ts'
export { type QLawGoal, type Steering, createSteering, steer } from './guidance/q-law.ts'
export { type HullColumns, type Hulls, createHulls } from './attitude/hull.ts'
export { settleAttitude } from './attitude/attitude-end.ts'
export { FREE, LOCKED, TURNING } from './attitude/attitude-mode.ts'
export {
  attitudeAt,
  attitudeQuanta,
  beginTurn,
  endTurn,
  thrustDirection,
} from './attitude/attitude-step.ts'
export { bodyRate, turnFreely } from './attitude/rigid-body.ts'
export { SPIN, followsTrajectory } from './attitude/pointing.ts'
export { HULL_POINTINGS, POINTINGS, type Pointing } from './state/pointings.ts'
export { steadyRateMax, wheelSaturation } from './attitude/reaction-wheel.ts'
export {
  absorbBytes,
  absorbLanes,
  combinedDigest,
  createDigest,
  digest,
  digestText,
  finish,
} from './state/digest.ts'
export {
  CHUNK_COLUMNS,
  type Column,
  EVENTS_MAX,
  EVENT_COLUMNS,
  LAYOUT_DIGEST,
  NEXT_PLAN_COLUMNS,
  ORDERS_MAX,
  ACTION_COLUMNS,
  ORDER_COLUMNS,
  CLASSES_MAX,
  RAILS_MAX,
  SHIP_COLUMNS,
  SIGHTING_COLUMNS,
  START_COLUMNS,
  STEP_COLUMNS,
  WATCHERS_MAX,
  valueBytes,
} from './state/layout.ts'
export { RULES_PER_SHIP, RULE_COLUMNS, ruleRows } from './state/layout.ts'
export {
  ARC_COLUMNS,
  BURN_COLUMNS,
  HULL_COLUMNS,
  NEXT_STEP_COLUMNS,
} from './state/record-columns.ts'
export { CONDITION_KINDS, type ConditionKind } from './rules/condition-kinds.ts'
export { RULE_BITS } from './state/rule-bits.ts'
export { heldAtStart, noteHeld } from './rules/rule-search.ts'
export {
  type ColumnViews,
  type OrderColumns,
  type ShipColumns,
  type StateSize,
  type WorldState,
  attachState,
  columnBytes,
  columnViews,
  createState,
  stateBytes,
} from './state/state.ts'
export {
  advanceChunk,
  changeShip,
  cutShip,
  launch,
  launchShips,
  reopenSteps,
  updateChunkDue,
} from './chunks/chunk.ts'
export { destroyInFlight, destroyShip } from './chunks/destruction.ts'
export { failPlan } from './chunks/failed-plan.ts'
export {
  type Load,
  PAYLOAD_MAX,
  loadInFlight,
  loadShip,
  refuelInFlight,
  writeLoad,
} from './chunks/load.ts'
export { REFUEL_RATE, dockShip, isDocked } from './ships/docked.ts'
export { EMPTY, FLYING, FROZEN } from './state/condition.ts'
export {
  EVENT_KINDS,
  type EventKind,
  type PlanEvent,
  type ShipEvent,
  noteEvent,
  takeEvents,
} from './state/events.ts'
export { type Flight, type Territory, createFlight, surroundingsAt } from './ships/flight.ts'
export {
  HULL,
  commandedAt,
  freeHullRow,
  hullAt,
  isPowered,
  loadEndedHull,
  loadHull,
  takeHullRow,
} from './ships/hull-row.ts'
export {
  ORDERS_ABORT,
  ORDERS_ATTITUDE,
  ORDERS_DELTA_V,
  ORDERS_MANEUVER,
  ORDERS_POINTING,
  ORDERS_SECONDS,
  ORDERS_THRUST,
  ORDERS_UNDOCK,
  ORDERS_UNLOADING,
  undock,
} from './chunks/orders.ts'
export {
  ACTIVITIES,
  type Activity,
  DOCKED,
  IDLE,
  MANEUVER_ENDS,
  type ManeuverEnd,
  PHASES,
  PLANNED,
  type Phase,
  REASONS,
  type Reason,
  TARGETS,
  type TargetKind,
} from './state/activity.ts'
export { type Outlook, planOutlook } from './guidance/programs/outlook.ts'
export { DOCKING, HEIGHTS, OSCULATING, REGARDLESS, SOONEST } from './state/plan-memory.ts'
export { LOW_ORBIT, ORBIT_ROOM, leastAltitude } from './guidance/programs/legs.ts'
export { ELEMENT_ERRORS, PLAN, dropPlan } from './state/plan.ts'
export { BURN_FRAMES, type BurnFrame, NODE } from './state/burn-node.ts'
export {
  NODES_MAX,
  NODE_DOUBLES,
  PLAN_DOUBLES,
  PLAN_NODE_DOUBLES,
  PLAN_PARAMS,
} from './state/plan-size.ts'
export { TURN_PARTS } from './math/circle.ts'
export {
  type EquatorialOrbit,
  equatorialMotion,
  equatorialState,
  orbitAngle,
  turnRate,
  turnVelocity,
} from './rails/equatorial-orbit.ts'
export { type LagrangeNumber, collinearRatio, lagrangeState } from './rails/lagrange-point.ts'
export { type Arc, type Ends, createArc, lambert, lambertAround } from './orbits/lambert.ts'
export { angleOf } from './orbits/angle.ts'
export { exponential, logarithm } from './orbits/exponential.ts'
export { keplerState } from './orbits/kepler.ts'
export { type Conic, conicOf, createConic } from './orbits/conic.ts'
export { brouwerAxis, meanAxis, meanState, osculatingState } from './orbits/mean-state.ts'
export { localVertical } from './rails/local-vertical.ts'
export { type LagrangePoint, type Rail, equatorialPole, railState } from './rails/rail.ts'
export {
  clearRail,
  createRails,
  freeRailRow,
  isRail,
  railRowState,
  writeRail,
} from './rails/rail-table.ts'
export {
  type BeatWork,
  type Round,
  type RoundsOf,
  type WorldDigest,
  flyTo,
  rounds,
} from './chunks/rounds.ts'
export {
  beginSighting,
  USE_ACTION,
  USE_CONDITION,
  USE_POINTING,
  updateSightings,
  watcherOf,
} from './ships/sighting.ts'
export { shipCheck } from './ships/ship-check.ts'
export { createFields, writeStage } from './field/field.ts'
export { type Pull, TABLE_DOUBLES, pull } from './field/gravity.ts'
export { SURROUNDINGS_DOUBLES, type ShipKernel, shipKernel } from './field/ship-kernel.ts'
export {
  type Allocate,
  PLANE,
  STAGE,
  type StepScratch,
  createStepScratch,
} from './field/step-scratch.ts'
export {
  endPull,
  segmentAcceleration,
  segmentFraction,
  segmentFuel,
  segmentPosition,
  segmentState,
  startPull,
} from './ships/segment.ts'
export { segmentAttitude } from './ships/segment-attitude.ts'
export { POWERED_QUANTA } from './ships/step-rule.ts'
export { addClass, classesIn, shipClassOf, thrustLimitOf } from './state/class-table.ts'
export { COURIER, type ShipClass } from './state/ship-class.ts'
export { enterSphere, spheresOfInfluence } from './field/sphere-of-influence.ts'
export { placeOnSpawnOrbit, spawnKey, spawnSeed } from './ships/spawn.ts'
