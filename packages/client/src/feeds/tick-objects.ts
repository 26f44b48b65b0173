import type { RailedObject, SystemResponse, TickMessage } from '@orrery/protocol'
import {
  type Rail,
  TURN_PARTS,
  createStateVector,
  quantaFromTdb,
  taiMinusUtc,
  turnRate,
} from '@orrery/sim'
import type { Scene } from '../scene/scene.ts'

/** Lattice index of a timestamp, with fraction. */
export function latticeOf(timestamp: string): number {
  const unixMs = Date.parse(timestamp)
  return quantaFromTdb(unixMs + 1000 * taiMinusUtc(unixMs) + 32184)
}

/** Stations and gates of a system, with what they run on. */
export function railedObjects(
  scene: Scene,
  { stations, jumpgates }: SystemResponse,
  tick: TickMessage,
): readonly RailedObject[] {
  const places = [
    ...stations.map((place) => ({ id: place.station_id, kind: 'station' as const, ...place })),
    ...jumpgates.map((place) => ({ id: place.jumpgate_id, kind: 'jumpgate' as const, ...place })),
  ]
  return places.flatMap(({ id, kind, name, radius, ...place }, row) => {
    const parent = scene.bodies?.indexOf(place.parent_body) ?? -1
    const secondary = scene.bodies?.indexOf(place.secondary_body ?? undefined) ?? -1
    const { lagrange_point: point } = place
    const rail: Rail | undefined = point
      ? { kind: 'lagrange', parent, secondary, point }
      : orbitOf(scene, tick, id, parent)
    return rail ? [{ id, kind, name, radius, row, rail }] : []
  })
}

const center = createStateVector()

/** Sine of an inclination that rounding makes: 3e-5 m of a place from the Sun, in low orbit. */
const LEVEL = 1e-10

/** The circle on which a station was at a tick. */
function orbitOf(scene: Scene, tick: TickMessage, id: string, parent: number): Rail | undefined {
  const station = tick.stations.find((one) => one.station_id === id)
  const time = tick.index + tick.offset
  if (!station || !scene.bodies?.reach(time)) return undefined
  scene.bodies.stateAt(center, parent, -1, time)
  const { position: p, velocity: u } = station
  const r = [p.x - center.r[0], p.y - center.r[1], p.z - center.r[2]]
  const v = [u.x - center.v[0], u.y - center.v[1], u.z - center.v[2]]
  const across = [r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2], r[0] * v[1] - r[1] * v[0]]
  const [radius, momentum] = [Math.hypot(...r), Math.hypot(...across)]
  const axis = across.map((part) => part / momentum)
  // Rounding tilts a station over the equator, and its node would be anywhere.
  const isLevel = Math.hypot(axis[0], axis[1]) < LEVEL
  const [px, py, pz] = isLevel ? [0, 0, Math.sign(axis[2])] : axis
  const tilt = Math.hypot(px, py)
  const [nodeX, nodeY] = isLevel ? [1, 0] : [-py / tilt, px / tilt]
  const along = r[0] * nodeX + r[1] * nodeY
  const ahead = -r[0] * pz * nodeY + r[1] * pz * nodeX + r[2] * (px * nodeY - py * nodeX)
  const rate = turnRate(momentum / (radius * radius))
  const turned = (Math.atan2(ahead, along) / (2 * Math.PI)) * TURN_PARTS
  return { kind: 'orbit', parent, radius, pole: [px, py, pz], rate, epoch: time - turned / rate }
}
