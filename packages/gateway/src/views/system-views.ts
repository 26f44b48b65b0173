import { type Engine, type World, bodyKind, gatePairs, worldNamed } from '@orrery/engine'
import { bodyAccuracy } from '@orrery/game'
import type {
  AccuracyState,
  BodiesResponse,
  BodyEntry,
  EphemerisResponse,
  JumpgatePlace,
  StationPlace,
  SystemEntry,
  SystemResponse,
} from '@orrery/protocol'
import { jumpgateEntry, stationState, vec3 } from './wire-views.ts'
import type { ServedEngine } from './served-engine.ts'

type Summary = ReturnType<Engine['systems']>[number]

/** A star system in a list. */
export function systemEntry({ id, name, position, ...rest }: Summary): SystemEntry {
  return {
    id,
    name,
    star_body: rest.starBody,
    position: vec3(position),
    body_count: rest.bodyCount,
    player_count: rest.shipCount,
  }
}

/**
 * What does not move in a star system; to be read while no tick runs.
 *
 * @throws {EngineError} 'ERR_SYSTEM_UNKNOWN'
 */
export function systemResponse(engine: ServedEngine, systemId: string): SystemResponse {
  const world = worldNamed(engine.universe, systemId)
  const { id, name, bodies, position } = world.state.system
  return {
    id,
    name,
    star_body: bodies[0].name,
    home_body: bodies[world.setup.system.territory.home].name,
    position: vec3(position),
    bodies: bodies.map((_, index) => bodyEntry(world, index)),
    stations: stationPlaces(engine, world),
    jumpgates: jumpgatePlaces(engine, world),
  }
}

function bodyEntry({ state: { system }, setup }: World, index: number): BodyEntry {
  const { name, parent, gm, radius, oblateness } = system.bodies[index]
  const sphere = setup.system.territory.spheres[index]
  return {
    name,
    kind: bodyKind(system, index),
    parent_body: system.bodies[parent]?.name ?? null,
    gm,
    radius,
    sphere_of_influence: Number.isFinite(sphere) ? sphere : null,
    pole: oblateness ? vec3(oblateness.pole) : null,
    reference_radius: oblateness?.referenceRadius ?? null,
    j2: oblateness?.j2 ?? null,
    j4: oblateness?.j4 ?? null,
    accuracy: accuracyState(system.id, name),
  }
}

function accuracyState(systemId: string, name: string): AccuracyState | null {
  const known = bodyAccuracy(systemId, name)
  return known
    ? { position_error: known.positionError, from: known.from, until: known.until }
    : null
}

function stationPlaces(engine: ServedEngine, world: World): StationPlace[] {
  const { bodies, id } = world.state.system
  const views = engine.stations().filter(({ systemId }) => systemId === id)
  return views.map((view) => {
    const { rail } = world.stations.get(view.stationId)!
    const { position: _, velocity: __, ...named } = stationState(view)
    const isOrbit = rail.kind === 'orbit'
    return {
      ...named,
      mass: view.mass,
      orbit_radius: isOrbit ? rail.radius : null,
      secondary_body: isOrbit ? null : bodies[rail.secondary].name,
      lagrange_point: isOrbit ? null : rail.point,
    }
  })
}

function jumpgatePlaces(engine: ServedEngine, world: World): JumpgatePlace[] {
  const pairs = gatePairs(engine.universe)
  const { bodies, id } = world.state.system
  const views = engine.jumpgates().filter(({ systemId }) => systemId === id)
  return views.map((view) => {
    const { rail } = world.jumpgates.get(view.jumpgateId)!
    const { position: _, velocity: __, ...named } = jumpgateEntry(view, pairs)
    return {
      ...named,
      secondary_body: bodies[rail.secondary].name,
      lagrange_point: rail.point,
    }
  })
}

/** All bodies of a star system at one moment. */
export function bodiesResponse(view: ReturnType<Engine['bodies']>): BodiesResponse {
  const { systemId, unixMs, fromMs, untilMs, bodies } = view
  return {
    game_time: new Date(unixMs).toISOString(),
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    bodies: bodies.map((body) => ({
      name: body.name,
      parent_body: body.parentBody ?? null,
      position: vec3(body.position),
      velocity: vec3(body.velocity),
      relative_position: vec3(body.relativePosition),
      relative_velocity: vec3(body.relativeVelocity),
      accuracy: accuracyState(systemId, body.name),
    })),
  }
}

/** The way of all bodies of a star system for some time. */
export function ephemerisResponse({
  index,
  interval,
  bodies,
}: ReturnType<Engine['ephemeris']>): EphemerisResponse {
  return {
    index,
    interval,
    bodies: bodies.map(({ name, parentBody, states }) => ({
      name,
      parent_body: parentBody ?? null,
      states,
    })),
  }
}
