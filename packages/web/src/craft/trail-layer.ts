/** Trails behind ships, relative to the bodies that they circle. */
import { createShipSample } from '@orrery/client/flight'
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Line, Vector3 } from 'three'
import type { RawShaderMaterial } from 'three'
import { TRAIL_VERTICES, Trail } from '../space/trail.ts'
import { vector } from '@orrery/page-kit'
import type { Frame } from '../scene/frame.ts'
import { shaderMaterial } from '../scene/materials.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'

const VERTEX = `
in vec4 position;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform float count;
out float strength;
void main() {
  float age = position.w / count;
  strength = (1.0 - age) * (1.0 - age);
  gl_Position = projectionMatrix * viewMatrix * vec4(position.xyz, 1.0);
}
`

const FRAGMENT = `
precision highp float;
uniform vec3 colour;
in float strength;
out vec4 result;
void main() {
  result = vec4(colour * strength, strength) * 0.8;
}
`

const OWN = [0.56, 0.76, 1] as const
const OTHER = [1, 0.78, 0.45] as const

/** Trails at once: of the own ship, of what is looked at, and of the target. */
const TRAILS = 3

const ORDER = 2

/** Quanta of a lattice index to the second. */
const QUANTA = 64

const points = new Float64Array(3 * TRAIL_VERTICES)

export class TrailLayer implements SceneLayer {
  readonly version = 0
  readonly drawables: readonly TrailLine[] = Array.from(
    { length: TRAILS },
    (_, i) => new TrailLine(i === 0 ? OWN : OTHER),
  )
  /** ids of the ships, own first; trails of others are forgotten */
  ships: readonly string[] = []
  isOn = true

  place(frame: Frame): void {
    for (const [i, line] of this.drawables.entries()) line.place(frame, this.ships[i], this.isOn)
  }

  dispose(): void {
    for (const line of this.drawables) line.dispose()
  }
}

class TrailLine implements Drawable {
  readonly mesh: Line<BufferGeometry, RawShaderMaterial>
  readonly isSurface = false
  readonly order: number = ORDER
  isVisible = false
  near = 0
  far = 0
  #ship: string | undefined
  #trail = new Trail()
  readonly #state = createShipSample()
  readonly #attribute = new BufferAttribute(new Float32Array(4 * TRAIL_VERTICES), 4)
  readonly #count = { value: 1 }
  readonly #place = { body: 0, offset: vector() }
  readonly #centre = vector()

  constructor(colour: readonly [number, number, number]) {
    this.#attribute.setUsage(DynamicDrawUsage)
    const material = shaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { count: this.#count, colour: { value: new Vector3(...colour) } },
      depthWrite: false,
    })
    const geometry = new BufferGeometry().setAttribute('position', this.#attribute)
    this.mesh = new Line(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  place(frame: Frame, ship: string | undefined, isOn: boolean): void {
    this.isVisible = false
    if (ship !== this.#ship) this.#trail = new Trail()
    this.#ship = ship
    const { bodies, flight } = frame.surroundings
    const state = this.#state
    if (!ship || !flight?.world.shipAt(state, ship, frame.time)) return
    const body = bodies.findIndex(({ name }) => name === state.body)
    if (body < 0) return
    this.#trail.note(body, frame.time / QUANTA, state.r, state.v)
    if (isOn) this.#draw(frame)
  }

  #draw({ camera, surroundings }: Frame): void {
    const count = this.#trail.vertices(points)
    this.#place.body = this.#trail.body
    const centre = surroundings.chain.difference(this.#centre, camera, this.#place)
    const { array } = this.#attribute
    let [least, most] = [Infinity, 0]
    for (let i = 0; i < count; i++) {
      const x = points[3 * i] + centre[0]
      const y = points[3 * i + 1] + centre[1]
      const z = points[3 * i + 2] + centre[2]
      array[4 * i] = x
      array[4 * i + 1] = y
      array[4 * i + 2] = z
      array[4 * i + 3] = i
      const square = x * x + y * y + z * z
      least = Math.min(least, square)
      most = Math.max(most, square)
    }
    // Between two vertices the line can be nearer than both.
    this.near = Math.sqrt(least) * 0.5
    this.far = Math.sqrt(most)
    this.#count.value = count
    this.#attribute.clearUpdateRanges()
    this.#attribute.addUpdateRange(0, 4 * count)
    this.#attribute.needsUpdate = true
    this.mesh.geometry.setDrawRange(0, count)
    this.isVisible = count > 1
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
