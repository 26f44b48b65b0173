/** The light at the camera: of the star, unless a body is before it, and of the body nearby. */
import { type IUniform, Vector3, Vector4 } from 'three'
import { shareLit } from '../space/sunlight.ts'
import { dot, length, vector, type Vector } from '@orrery/page-kit'
import type { Frame } from './frame.ts'
import { rgb } from './looks.ts'

const ORIGIN = vector()

/** Of a body that fills the sky, and is all lit. */
const BODYLIGHT = 0.5

/** What shaders take of it. */
export interface LightUniforms {
  readonly toStar: IUniform<Vector3>
  readonly starlight: IUniform<Vector3>
  readonly toBody: IUniform<Vector3>
  readonly bodylight: IUniform<Vector3>
  /** middle [m] and radius [m] of the body nearby, which casts a shadow */
  readonly shade: IUniform<Vector4>
}

export class Ambient {
  readonly uniforms: LightUniforms = {
    toStar: { value: new Vector3(1, 0, 0) },
    starlight: { value: new Vector3(1, 1, 1) },
    toBody: { value: new Vector3(0, 0, -1) },
    bodylight: { value: new Vector3() },
    shade: { value: new Vector4() },
  }
  readonly #toStar = vector()
  readonly #toBody = vector()

  /** Direction to the star; not of unit length. */
  get toStar(): Vector {
    return this.#toStar
  }

  update(frame: Frame): void {
    const { toStar, starlight, toBody, bodylight, shade } = this.uniforms
    const star = this.#strongest(frame, (body) => body.kind === 'star')
    const { bodies } = frame.surroundings
    const distance = star < 0 ? NaN : this.#towards(this.#toStar, frame, star)
    if (!(distance > 0)) return
    toStar.value.set(...scaled(this.#toStar, 1 / distance))
    const [r, g, b] = rgb(bodies[star].look.colours[1])
    // Eyes take most of a light's colour for white.
    starlight.value.set((r + 2) / 3, (g + 2) / 3, (b + 2) / 3)
    const size = Math.asin(Math.min(bodies[star].radius / distance, 1))
    starlight.value.multiplyScalar(this.#shareSeen(frame, size, distance))
    bodylight.value.setScalar(0)
    shade.value.setScalar(0)
    const near = this.#strongest(frame, (body) => body.kind !== 'star')
    if (near < 0) return
    const away = this.#towards(this.#toBody, frame, near)
    toBody.value.set(...scaled(this.#toBody, 1 / away))
    const { look, radius } = bodies[near]
    shade.value.set(...scaled(this.#toBody, 1), radius)
    const height = dot(this.#toStar, this.#toBody) / (distance * away)
    // Half of it is lit when the star is beside it.
    const lit = 0.5 - 0.5 * height
    const strength = BODYLIGHT * look.albedo * lit * lit * Math.min(radius / away, 1) ** 2
    bodylight.value.set(...rgb(look.colours[1])).multiplyScalar(2 * strength)
  }

  /** Index of the body of a kind that is largest in the sky, -1 if there is none. */
  #strongest({ surroundings, camera }: Frame, isOfKind: (body: Body) => boolean): number {
    let found = -1
    let most = 0
    for (let i = 0; i < surroundings.bodies.length; i++) {
      const body = surroundings.bodies[i]
      if (!isOfKind(body)) continue
      PLACE.body = i
      const size = body.radius / length(surroundings.chain.difference(between, camera, PLACE))
      if (size <= most) continue
      most = size
      found = i
    }
    return found
  }

  #towards(out: Vector, { surroundings, camera }: Frame, body: number): number {
    PLACE.body = body
    return length(surroundings.chain.difference(out, camera, PLACE))
  }

  /** How much of the star all bodies leave. */
  #shareSeen({ surroundings, camera }: Frame, size: number, distance: number): number {
    let share = 1
    for (let i = 0; i < surroundings.bodies.length; i++) {
      const { kind, radius } = surroundings.bodies[i]
      if (kind === 'star') continue
      PLACE.body = i
      const away = length(surroundings.chain.difference(between, camera, PLACE))
      const cosine = dot(between, this.#toStar) / (away * distance)
      if (away >= distance || cosine <= 0) continue
      const apart = Math.acos(Math.min(cosine, 1))
      share = Math.min(share, shareLit(size, Math.asin(Math.min(radius / away, 1)), apart))
    }
    return share
  }
}

type Body = Frame['surroundings']['bodies'][number]

const between = vector()
const PLACE = { body: 0, offset: ORIGIN }

function scaled([x, y, z]: Vector, factor: number): [number, number, number] {
  return [x * factor, y * factor, z * factor]
}
