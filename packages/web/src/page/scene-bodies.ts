/** The bodies of a star system as its route describes them. */
import type { GameClient } from '@orrery/client'
import { lookOf } from '../scene/looks.ts'
import type { Accuracy, SceneBody } from '../scene/scene-body.ts'
import { vector } from '@orrery/page-kit'

export type SystemAnswer = Awaited<ReturnType<GameClient['system']>>

/** Parents come before their children. */
export function sceneBodies({ bodies }: SystemAnswer): SceneBody[] {
  const names = bodies.map(({ name }) => name)
  return bodies.map((body) => ({
    name: body.name,
    kind: body.kind,
    parent: body.parent_body === null ? -1 : names.indexOf(body.parent_body),
    radius: body.radius,
    sphere: body.sphere_of_influence ?? Infinity,
    gm: body.gm,
    pole: body.pole ? vector(body.pole.x, body.pole.y, body.pole.z) : vector(0, -0.398, 0.917),
    look: lookOf(body),
    ...(body.accuracy && { accuracy: accuracyOf(body.accuracy) }),
  }))
}

type AccuracyAnswer = NonNullable<SystemAnswer['bodies'][number]['accuracy']>

function accuracyOf({ position_error: error, from, until }: AccuracyAnswer): Accuracy {
  return { error, years: `${from.slice(0, 4)}–${until.slice(0, 4)}` }
}

/** Index of the body whose orbits ships start in. */
export function homeOf({ bodies, home_body: home }: SystemAnswer): number {
  return bodies.findIndex(({ name }) => name === home)
}
