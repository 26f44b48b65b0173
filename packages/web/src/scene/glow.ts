/** A light of a few pixels, or the glow around a star. */
import { type BufferGeometry, type Mesh, type RawShaderMaterial, Vector2, Vector3 } from 'three'
import { type Vector, length } from '../space/vector.ts'
import { quadMesh, shaderMaterial } from './materials.ts'
import type { Drawable } from './scene-layer.ts'
import { GLOW_FRAGMENT, GLOW_VERTEX } from './sky-shader.ts'

export interface GlowShape {
  /** from the camera [m] */
  readonly position: Vector
  /** [px] */
  readonly radius: number
  /** of the canvas [px] */
  readonly width: number
  readonly height: number
  readonly bright: number
  /** radius of the disc within, over that of the glow; 0 for a point */
  readonly core: number
}

export class Glow implements Drawable {
  readonly isSurface = false
  readonly order = 2
  isVisible = false
  near = 0
  far = 0
  readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>
  readonly #uniforms

  constructor(colour: readonly [number, number, number]) {
    this.#uniforms = {
      position: { value: new Vector3() },
      size: { value: new Vector2() },
      colour: { value: new Vector3(...colour) },
      bright: { value: 1 },
      core: { value: 0 },
    }
    this.mesh = quadMesh(
      shaderMaterial({
        vertexShader: GLOW_VERTEX,
        fragmentShader: GLOW_FRAGMENT,
        uniforms: this.#uniforms,
        depthWrite: false,
      }),
    )
  }

  place({ position, radius, width, height, bright, core }: GlowShape): void {
    this.#uniforms.position.value.set(position[0], position[1], position[2])
    this.#uniforms.size.value.set((2 * radius) / width, (2 * radius) / height)
    this.#uniforms.bright.value = bright
    this.#uniforms.core.value = core
    this.near = this.far = length(position)
  }

  dispose(): void {
    this.mesh.material.dispose()
  }
}
