/** Points of light for what is too far to have a shape: one draw for ten thousand ships. */
import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Points,
  type RawShaderMaterial,
  Vector3,
} from 'three'
import type { Ambient } from '../scene/ambient.ts'
import { shaderMaterial } from '../scene/materials.ts'
import type { Drawable } from '../scene/scene-layer.ts'

const VERTEX = `
in vec4 position;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 toStar;
uniform vec4 shade;
uniform float size;
out float bright;
void main() {
  float square = dot(position.xyz, position.xyz);
  float far = log2(square / 4e8) / log2(1e10);
  float near = clamp(1.0 - far, 0.0, 1.0);
  vec3 fromBody = position.xyz - shade.xyz;
  float along = dot(fromBody, toStar);
  float across = dot(fromBody, fromBody) - along * along;
  float lit = along < 0.0 && across < shade.w * shade.w ? 0.4 : 1.0;
  bright = position.w * lit * mix(0.3, 1.0, near) * (1.0 - smoothstep(1.0, 1.4, far));
  gl_PointSize = size * mix(2.4, 5.0, near);
  gl_Position = projectionMatrix * viewMatrix * vec4(position.xyz, 1.0);
}
`

const FRAGMENT = `
precision highp float;
uniform vec3 colour;
in float bright;
out vec4 result;
void main() {
  vec2 place = gl_PointCoord * 2.0 - 1.0;
  float inner = max(1.0 - dot(place, place), 0.0);
  float core = inner * inner * inner;
  result = vec4(mix(colour, vec3(1.0), core * core * 0.7) * core * bright, 0.0);
}
`

const ORDER = 3

export class LightPoints implements Drawable {
  readonly mesh: Points<BufferGeometry, RawShaderMaterial>
  readonly isSurface = false
  readonly order: number = ORDER
  isVisible = false
  near = 0
  far = 0
  readonly #size = { value: 1 }
  #attribute = new BufferAttribute(new Float32Array(0), 4)

  constructor(colour: readonly [number, number, number], { uniforms }: Ambient) {
    const material = shaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        toStar: uniforms.toStar,
        shade: uniforms.shade,
        size: this.#size,
        colour: { value: new Vector3(...colour) },
      },
      depthWrite: false,
    })
    this.mesh = new Points(new BufferGeometry(), material)
    this.mesh.frustumCulled = false
    this.mesh.matrixAutoUpdate = false
  }

  /** From the camera [m], then a factor of brightness: four floats per point. */
  get values(): Float32Array {
    return this.#attribute.array as Float32Array
  }

  /** Makes room for so many points; what was there is lost when there is not enough. */
  reserve(count: number): Float32Array {
    if (this.values.length < 4 * count) {
      this.mesh.geometry.dispose()
      this.#attribute = new BufferAttribute(new Float32Array(4 * Math.ceil(count * 1.25)), 4)
      this.#attribute.setUsage(DynamicDrawUsage)
      this.mesh.geometry.setAttribute('position', this.#attribute)
    }
    return this.values
  }

  /** @param size  factor of their size on the canvas */
  upload(count: number, size: number): void {
    this.isVisible = count > 0
    this.#size.value = size
    this.mesh.geometry.setDrawRange(0, count)
    this.#attribute.clearUpdateRanges()
    this.#attribute.addUpdateRange(0, 4 * count)
    this.#attribute.needsUpdate = true
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
