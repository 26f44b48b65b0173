/** The maps of bodies' surfaces: drawn on the graphics card when a body is first seen large. */
import {
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  LinearMipmapNearestFilter,
  type MinificationTextureFilter,
  OrthographicCamera,
  RepeatWrapping,
  Scene,
  Texture,
  Vector2,
  Vector3,
  WebGLRenderTarget,
  type WebGLRenderer,
} from 'three'
import type { Graphics } from '../scene/graphics.ts'
import { SURFACES, rgb } from '../scene/looks.ts'
import { quadMesh, shaderMaterial } from '../scene/materials.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import { SURFACE_FRAGMENT, SURFACE_VERTEX } from './surface-shader.ts'

export interface SurfaceMap {
  readonly map: Texture
  readonly slopes: Texture
  dispose(): void
}

export class SurfaceMaps {
  readonly #graphics: Graphics
  readonly #renderer: WebGLRenderer
  readonly #scene = new Scene()
  readonly #camera = new OrthographicCamera()
  readonly #uniforms = {
    kind: { value: 0 },
    seed: { value: 0 },
    mapSize: { value: new Vector2() },
    dark: { value: new Vector3() },
    middle: { value: new Vector3() },
    light: { value: new Vector3() },
  }

  constructor(renderer: WebGLRenderer, graphics: Graphics) {
    this.#renderer = renderer
    this.#graphics = graphics
    const material = shaderMaterial({
      vertexShader: SURFACE_VERTEX,
      fragmentShader: SURFACE_FRAGMENT,
      uniforms: this.#uniforms,
      depthTest: false,
      depthWrite: false,
      transparent: false,
    })
    this.#scene.add(quadMesh(material))
  }

  draw({ name, look }: SceneBody): SurfaceMap {
    const { kind, seed, mapSize, dark, middle, light } = this.#uniforms
    const { mapHeight: height, anisotropy } = this.#graphics
    const target = new WebGLRenderTarget(2 * height, height, {
      count: 2,
      depthBuffer: false,
      generateMipmaps: true,
      minFilter: minFilter(this.#graphics),
      magFilter: LinearFilter,
      wrapS: RepeatWrapping,
      anisotropy,
    })
    kind.value = SURFACES[look.surface]
    seed.value = seedOf(name)
    mapSize.value.set(target.width, target.height)
    for (const [i, part] of [dark, middle, light].entries()) part.value.set(...rgb(look.colours[i]))
    this.#renderer.setRenderTarget(target)
    this.#renderer.render(this.#scene, this.#camera)
    this.#renderer.setRenderTarget(null)
    const [map, slopes] = target.textures
    return { map, slopes, dispose: () => target.dispose() }
  }
}

/** Below 1; Jupiter's own brings the Great Red Spot. */
function seedOf(name: string): number {
  if (name === 'Jupiter') return 0.11
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 997
  return 0.2 + (sum / 997) * 0.7
}

/** One colour until there is more. */
export function plainMap(colour: readonly [number, number, number]): Texture {
  const bytes = Uint8Array.of(...colour.map((part) => Math.round(part * 255)), 255)
  const texture = new DataTexture(bytes, 1, 1)
  texture.needsUpdate = true
  return texture
}

/**
 * An image that wraps around a body or around the sky, its south first.
 *
 * @param isLarge  whether it has more pixels than the graphics may allow
 */
export async function loadedMap(
  address: string,
  graphics: Graphics,
  isLarge: boolean = false,
): Promise<Texture<ImageBitmap>> {
  const answer = await fetch(address)
  const image = await createImageBitmap(await answer.blob(), {
    imageOrientation: 'flipY',
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
    resizeQuality: 'medium',
    ...(isLarge && { resizeHeight: graphics.imageHeight }),
  })
  const texture = new Texture(image)
  texture.flipY = false
  texture.wrapS = RepeatWrapping
  texture.minFilter = minFilter(graphics)
  texture.anisotropy = graphics.anisotropy
  texture.needsUpdate = true
  return texture
}

function minFilter({ isSoftware }: Graphics): MinificationTextureFilter {
  return isSoftware ? LinearMipmapNearestFilter : LinearMipmapLinearFilter
}
