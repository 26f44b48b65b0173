import type { SystemResponse, Vec3 } from '@orrery/protocol'
import type { Body, StarSystem } from '@orrery/sim'

/** A star system as its route describes it, for an integrator. */
export function starSystemOf({ id, name, position, bodies }: SystemResponse): StarSystem {
  const names = bodies.map((body) => body.name)
  return {
    id,
    name,
    position: triple(position),
    bodies: bodies.map((body) => {
      const { gm, radius, pole, reference_radius: referenceRadius, j2, j4 } = body
      const parent = body.parent_body === null ? -1 : names.indexOf(body.parent_body)
      const plain = { name: body.name, parent, gm, radius }
      if (!pole || j2 === null || referenceRadius === null) return plain
      const oblateness: Body['oblateness'] = {
        referenceRadius,
        j2,
        ...(j4 !== null && { j4 }),
        pole: triple(pole),
      }
      return { ...plain, oblateness }
    }),
  }
}

function triple({ x, y, z }: Vec3): [number, number, number] {
  return [x, y, z]
}
