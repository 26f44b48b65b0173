/** The line of one orbit. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Line,
  type RawShaderMaterial,
  Vector3,
} from 'three'
import {
  OBJECT_VERTEX,
  ORBIT_VERTICES,
  type OrbitState,
  orbitVertices,
} from '../space/orbit-line.ts'
import type { Vector } from '../space/vector.ts'
import { shaderMaterial } from './materials.ts'
import type { Drawable } from './scene-layer.ts'
import type { SidesOf } from './seen-sides.ts'

const VERTEX = `
in vec4 position;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
out float strength;
void main() {
  strength = position.w;
  gl_Position = projectionMatrix * viewMatrix * vec4(position.xyz, 1.0);
}
`

const FRAGMENT = `
precision highp float;
uniform vec3 colour;
uniform float opacity;
in float strength;
out vec4 result;
void main() {
  float a = strength * opacity;
  result = vec4(colour * a, a);
}
`

/** Brightest just behind the object, as a trail. */
const FADES = Array.from({ length: ORBIT_VERTICES }, (_, i) =>
  i <= OBJECT_VERTEX ? 0.3 + 0.7 * (i / OBJECT_VERTEX) ** 2 : 0.3,
)

/** A vertex so near to the one before is left out: short pieces cost as much as long ones [px]. */
const APART = 1

/** Vertices that are never left out. */
const ANCHORS: ReadonlySet<number> = new Set([0, OBJECT_VERTEX, ORBIT_VERTICES - 1])

const vertices = new Float64Array(3 * ORBIT_VERTICES)

/** How an orbit is drawn. */
export interface OrbitView {
  readonly opacity: number
  readonly sidesOf: SidesOf
  /** pixels per unit of the tangent of an angle */
  readonly focal: number
}

export class OrbitPath implements Drawable {
  readonly isSurface = false
  readonly order = 1
  isVisible = false
  readonly mesh: Line<BufferGeometry, RawShaderMaterial>
  /** nearest and farthest vertex from the camera [m] */
  near = 0
  far = 0
  readonly #positions = new BufferAttribute(new Float32Array(4 * ORBIT_VERTICES), 4)
  readonly #uniforms

  constructor(colour: readonly [number, number, number]) {
    this.#uniforms = { colour: { value: new Vector3(...colour) }, opacity: { value: 1 } }
    this.#positions.setUsage(DynamicDrawUsage)
    const geometry = new BufferGeometry().setAttribute('position', this.#positions)
    const material = shaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: this.#uniforms,
      depthWrite: false,
    })
    this.mesh = new Line(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  /**
   * @param object  where it is, from the camera [m]
   * @returns false when there is no line to draw
   */
  place(object: Vector, state: OrbitState, { opacity, sidesOf, focal }: OrbitView): boolean {
    if (!orbitVertices(vertices, state)) return false
    const { array } = this.#positions
    const closeness = (APART / focal) ** 2
    let near = Infinity
    let far = 0
    let first = -1
    let last = 0
    let before = ~0
    let kept = 0
    for (let i = 0; i < ORBIT_VERTICES; i++) {
      const x = vertices[3 * i] + object[0]
      const y = vertices[3 * i + 1] + object[1]
      const z = vertices[3 * i + 2] + object[2]
      const square = x * x + y * y + z * z
      if (square < near) near = square
      if (square > far) far = square
      if (!ANCHORS.has(i)) {
        const at = 4 * (kept - 1)
        const apart = (x - array[at]) ** 2 + (y - array[at + 1]) ** 2 + (z - array[at + 2]) ** 2
        if (apart < closeness * square) continue
      }
      array[4 * kept] = x
      array[4 * kept + 1] = y
      array[4 * kept + 2] = z
      array[4 * kept + 3] = FADES[i]
      const sides = sidesOf(x, y, z)
      if (i > 0 && (sides & before) === 0) {
        last = kept
        if (first < 0) first = last - 1
      }
      before = sides
      kept++
    }
    if (first < 0) return false
    // Only the part from the first to the last piece in the picture is drawn.
    this.mesh.geometry.setDrawRange(first, last - first + 1)
    // Between two vertices the line can be nearer than both.
    this.near = Math.sqrt(near) * 0.5
    this.far = Math.sqrt(far)
    this.#positions.needsUpdate = true
    this.#uniforms.opacity.value = opacity
    return true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
