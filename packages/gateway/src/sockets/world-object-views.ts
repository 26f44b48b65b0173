import type { Engine, JumpgateView, StationView } from '@orrery/engine'
import type {
  JumpgateEntry,
  JumpgateState,
  Quaternion,
  StationEntry,
  StationState,
  Vec3,
} from '@orrery/protocol'
import type { SystemObjects } from './frames.ts'

/**
 * What stands in each star system as published, worked out once, when the first system is asked
 * for; to be used up while no tick runs.
 */
export function systemObjects(
  engine: Pick<Engine, 'stations' | 'jumpgates'>,
): (systemId: string) => SystemObjects {
  let stations: StationView[] | undefined
  let jumpgates: JumpgateView[] | undefined
  return (systemId) => ({
    stations: (stations ??= engine.stations())
      .filter((view) => view.systemId === systemId)
      .map(stationState),
    jumpgates: (jumpgates ??= engine.jumpgates())
      .filter((view) => view.systemId === systemId)
      .map(jumpgateState),
  })
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
export function jumpgateEntry(view: JumpgateView): JumpgateEntry {
  return { ...jumpgateState(view), mass: view.mass }
}

function vec3([x, y, z]: readonly [number, number, number]): Vec3 {
  return { x, y, z }
}

function quaternion([w, x, y, z]: readonly [number, number, number, number]): Quaternion {
  return { w, x, y, z }
}
