import type {
  EngineStatus,
  JumpgateView,
  OwnShipView,
  ShipNotice,
  ShipView,
  StationView,
  gatePairs,
} from '@orrery/engine'
import type {
  ClockMessage,
  EventMessage,
  JumpgateEntry,
  JumpgateState,
  LastManeuverState,
  ManeuverState,
  OrbitState,
  OwnShipState,
  PilotState,
  Quaternion,
  ShipState,
  StationEntry,
  StationState,
  SteeringState,
  Vec3,
} from '@orrery/protocol'
import { utcFromLattice } from '@orrery/sim'

/** A ship as JSON carries it: what all see of it. */
export function shipState(view: ShipView): ShipState {
  return {
    ship_id: view.shipId,
    name: view.name,
    system_id: view.systemId,
    ship_class: view.shipClass,
    position: vec3(view.position),
    velocity: vec3(view.velocity),
    reference_body: view.referenceBody,
    relative_position: vec3(view.relativePosition),
    relative_velocity: vec3(view.relativeVelocity),
    attitude: quaternion(view.attitude),
    angular_velocity: vec3(view.angularVelocity),
    thrust_level: view.thrustLevel,
    fuel: view.fuel,
    fuel_capacity: view.fuelCapacity,
    mass: view.mass,
    delta_v: view.deltaV,
    wheel_saturation: vec3(view.wheelSaturation),
  }
}

function orbitState(orbit: OwnShipView['orbit']): OrbitState {
  return {
    plane: orbit.plane,
    semi_major_axis: orbit.semiMajorAxis,
    eccentricity: orbit.eccentricity,
    inclination: orbit.inclination,
    ascending_node: orbit.ascendingNode,
    argument_of_periapsis: orbit.argumentOfPeriapsis,
    true_anomaly: orbit.trueAnomaly,
    altitude: orbit.altitude,
    periapsis_altitude: orbit.periapsisAltitude,
    apoapsis_altitude: orbit.apoapsisAltitude,
    period: orbit.period,
    time_to_periapsis: orbit.timeToPeriapsis,
    time_to_apoapsis: orbit.timeToApoapsis,
  }
}

/** What a ship's pilot alone sees. */
export function pilotState(view: Omit<OwnShipView, keyof ShipView>): PilotState {
  const { dockedAt, lastManeuver, maneuver, meanOrbit, orbit, steering, thrustLimit } = view
  return {
    maneuver: maneuver && maneuverState(maneuver),
    last_maneuver: lastManeuver && lastManeuverState(lastManeuver),
    docked_at: dockedAt,
    steering: steeringState(steering),
    orbit: orbitState(orbit),
    mean_orbit: orbitState(meanOrbit),
    ...(thrustLimit !== undefined && { thrust_limit: thrustLimit }),
  }
}

function maneuverState(view: NonNullable<OwnShipView['maneuver']>): ManeuverState {
  return {
    maneuver: view.type,
    phase: view.phase,
    status_text: view.statusText,
    since: timestamp(view.since),
    target_id: view.targetId,
    target_body: view.targetBody,
    element_errors: view.elementErrors,
    distance: view.distance,
    effectivity: view.effectivity,
    delta_v: view.deltaV,
    next_burn_at: timestampOrNull(view.nextBurnAt),
    expected_end: timestampOrNull(view.expectedEnd),
    expected_delta_v: view.expectedDeltaV,
  }
}

function lastManeuverState(view: NonNullable<OwnShipView['lastManeuver']>): LastManeuverState {
  return {
    maneuver: view.type,
    outcome: view.outcome,
    phase: view.phase,
    reason: view.reason,
    status_text: view.statusText,
    since: timestamp(view.since),
    ended_at: timestamp(view.endedAt),
    target_id: view.targetId,
    target_body: view.targetBody,
  }
}

function steeringState(view: OwnShipView['steering']): SteeringState {
  const { targetShipId: ship, targetBody: body } = view
  const { targetStationId: station, targetJumpgateId: gate } = view
  return {
    pointing: view.pointing,
    mode: view.mode,
    ...(ship !== undefined && { target_ship_id: ship }),
    ...(body !== undefined && { target_body: body }),
    ...(station !== undefined && { target_station_id: station }),
    ...(gate !== undefined && { target_jumpgate_id: gate }),
    wheel_unloading: view.wheelUnloading,
    burn_delta_v: view.burnDeltaV,
  }
}

/** A ship as its pilot sees it. */
export function ownShipState(view: OwnShipView): OwnShipState {
  return { ...shipState(view), ...pilotState(view) }
}

/** What happened to a ship. */
export function eventMessage(notice: ShipNotice): EventMessage {
  const { kind, shipId, index, body, systems, stationId, rule, maneuver, own } = notice
  return {
    type: 'event',
    event: kind,
    ship_id: shipId,
    game_time: timestamp(index),
    body,
    ...(systems && { from_system: systems.from, to_system: systems.to }),
    ...(stationId !== undefined && { station_id: stationId }),
    ...(rule && { rule_id: rule.ruleId, rule_name: rule.name }),
    ...(maneuver && maneuverFields(maneuver)),
    ...(own && {
      module: own.module,
      module_event: own.name,
      data: own.data,
      status_text: own.text,
    }),
  }
}

type Note = NonNullable<ShipNotice['maneuver']>

function maneuverFields({ type, phase, fromPhase, reason, statusText }: Note) {
  return {
    maneuver: type,
    phase,
    from_phase: fromPhase,
    ...(reason && { reason }),
    ...(statusText !== undefined && { status_text: statusText }),
  }
}

/** What clients count game time with. */
export function clockMessage(status: EngineStatus): ClockMessage {
  return {
    type: 'clock',
    tick_rate: status.tickRate,
    time_scale: status.timeScale,
    effective_time_scale: status.effectiveTimeScale,
    paused: status.paused,
    game_time: new Date(status.gameTimeMs).toISOString(),
    age: ageOf(status),
  }
}

/** As the clock keeps a rate or a scale, so that an answer has what is kept. */
export function inMillionths(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** Wall time since the game time of a status was shown [s]. */
export function ageOf({ sinceTickMs }: EngineStatus): number {
  return Math.max(0, sinceTickMs) / 1000
}

/** A station as a tick shows it. */
export function stationState(view: StationView): StationState {
  return {
    station_id: view.stationId,
    name: view.name,
    parent_body: view.parentBody,
    position: vec3(view.position),
    velocity: vec3(view.velocity),
    radius: view.radius,
  }
}

/** A jump gate as a tick shows it. */
export function jumpgateState(view: JumpgateView): JumpgateState {
  return {
    jumpgate_id: view.jumpgateId,
    name: view.name,
    parent_body: view.parentBody,
    position: vec3(view.position),
    velocity: vec3(view.velocity),
    radius: view.radius,
  }
}

/** A station as operators see it. */
export function stationEntry(view: StationView): StationEntry {
  return { ...stationState(view), attitude: quaternion(view.attitude), mass: view.mass }
}

/** A jump gate as operators see it. */
export function jumpgateEntry(
  view: JumpgateView,
  pairs: ReturnType<typeof gatePairs>,
): JumpgateEntry {
  const paired = pairs.get(view.jumpgateId)?.gate.jumpgateId ?? null
  return { ...jumpgateState(view), mass: view.mass, paired_jumpgate_id: paired }
}

/** A lattice index as clients read it. */
export function timestamp(index: number): string {
  return new Date(utcFromLattice(index)).toISOString()
}

function timestampOrNull(index: number | null): string | null {
  return index === null ? null : timestamp(index)
}

export function vec3([x, y, z]: readonly [number, number, number]): Vec3 {
  return { x, y, z }
}

function quaternion([w, x, y, z]: readonly [number, number, number, number]): Quaternion {
  return { w, x, y, z }
}
