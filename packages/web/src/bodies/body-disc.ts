/** A body that is large enough on the screen for a disc. */
import {
  type BufferGeometry,
  Matrix3,
  type Mesh,
  type Object3D,
  type RawShaderMaterial,
  type Texture,
  Vector2,
  Vector3,
  Vector4,
} from 'three'
import { type BodyAxes, bodyAxes } from '../space/body-axes.ts'
import { dot, fill, length, vector, type Vector } from '@orrery/page-kit'
import { BODY_FRAGMENT, BODY_VERTEX } from './body-shader.ts'
import { CASTERS_MAX } from './body-shading.ts'
import { Globe } from './globe.ts'
import { rgb } from '../scene/looks.ts'
import { quadMesh, shaderMaterial } from '../scene/materials.ts'
import { RING_INNER, RING_OUTER, ringMap } from './ring-map.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import type { Drawable } from '../scene/scene-layer.ts'
import { type SurfaceMap, plainMap } from './surface-maps.ts'

/** Scale heights of an atmosphere that are drawn. */
const AIR_HEIGHTS = 6

const RELIEF = 0.6

/** A globe pays from this radius [px], and shows its pieces below this height [radii]. */
const GLOBE_PIXELS = 60
const GLOBE_HEIGHT = 0.02

const NO_NIGHT = plainMap([0, 0, 0])

/** A star that lights a body. */
export interface Lamp {
  /** unit vector from the body */
  readonly direction: Vector
  /** radius of the star over its distance; 0 for none */
  size: number
  readonly colour: [number, number, number]
}

/** The star that gives a body most light, and the next one. */
export interface Lamps {
  readonly main: Lamp
  readonly other: Lamp
}

/** A star that gives so much less light is as bright to the eye as by this power of it. */
const EYE_POWER = 0.35

export class BodyDisc implements Drawable {
  readonly isSurface = true
  readonly order = 0
  isVisible = false
  near = 0
  far = 0
  mesh: Object3D
  /** outer edge of all that is drawn, in radii of the equator */
  readonly extent: number
  hasMap = false
  readonly #quad: Mesh<BufferGeometry, RawShaderMaterial>
  readonly #globe: Globe | undefined
  readonly #body: SceneBody
  /** of the equator [m] */
  readonly #radius: number
  readonly #axes: BodyAxes = { meridian: vector(), east: vector(), pole: vector() }
  readonly #camera = vector()
  #surface: SurfaceMap | undefined
  /** what else is on the graphics card for it alone */
  readonly #owned: { dispose(): void }[] = []
  readonly #uniforms

  /**
   * @param isFast  for a processor that does the work of a graphics card
   * @param hasTwoStars  whether a second star may light it
   */
  constructor(body: SceneBody, isFast: boolean, hasTwoStars: boolean) {
    const { look } = body
    const { atmosphere, rings, flattening = 0 } = look
    this.#body = body
    // The mean radius is that of a sphere of the same volume.
    this.#radius = body.radius * (1 - flattening) ** (-1 / 3)
    this.extent = rings ? RING_OUTER : 1 + AIR_HEIGHTS * (atmosphere?.scaleHeight ?? 0)
    const [r, g, b] = rgb(atmosphere?.colour ?? '#ffffff')
    this.#uniforms = {
      centre: { value: new Vector3() },
      extent: { value: this.extent + 0.02 },
      radius: { value: this.#radius },
      stretch: { value: flattening / (1 - flattening) },
      forward: { value: new Vector3() },
      depthRow: { value: new Vector2() },
      toStar: { value: new Vector3(1, 0, 0) },
      starSize: { value: 0 },
      starColour: { value: new Vector3(1, 1, 1) },
      toOtherStar: { value: new Vector3(1, 0, 0) },
      otherStarColour: { value: new Vector3() },
      axes: { value: new Matrix3() },
      map: { value: plainMap(rgb(look.colours[1])) },
      slopes: { value: plainMap([0.5, 0.5, 0]) },
      night: { value: NO_NIGHT },
      clouds: { value: NO_NIGHT },
      rings: { value: rings ? this.#owning(ringMap(rings)) : NO_NIGHT },
      relief: { value: 0 },
      airColour: { value: new Vector3(r, g, b) },
      airHeight: { value: atmosphere?.scaleHeight ?? 0 },
      airDensity: { value: atmosphere?.density ?? 0 },
      casterCount: { value: 0 },
      casters: { value: Array.from({ length: CASTERS_MAX }, () => new Vector4()) },
    }
    const defines = partsOf(body, isFast, hasTwoStars)
    this.#quad = quadMesh(
      shaderMaterial({
        vertexShader: BODY_VERTEX,
        fragmentShader: BODY_FRAGMENT,
        defines,
        uniforms: this.#uniforms,
      }),
    )
    this.mesh = this.#quad
    if (!isFast || rings || look.surface === 'star') return
    this.#globe = new Globe(this.#uniforms, defines, atmosphere !== undefined)
  }

  useMap(surface: SurfaceMap): void {
    const { map, slopes } = surface
    this.#surface?.dispose()
    this.#surface = surface
    this.#uniforms.map.value = map
    this.#uniforms.slopes.value = slopes
    this.#uniforms.relief.value = this.#body.look.atmosphere ? RELIEF / 3 : RELIEF
    this.hasMap = true
  }

  /** Its generated surface is drawn again when it is needed: the lost context had it. */
  forgetMap(): void {
    if (this.#body.look.surface !== 'plain') this.hasMap = false
    // A dispose would delete it in the new context, which never had it.
    this.#surface = undefined
  }

  useEarth(part: 'map' | 'night' | 'clouds', texture: Texture): void {
    this.#uniforms[part].value = this.#owning(texture)
    this.hasMap = true
  }

  /**
   * @param centre  from the camera [m]
   * @param toParent  from the body [m]
   * @param pixels  its radius on the screen
   */
  place(
    {
      centre,
      toParent,
      forward,
      pixels,
    }: { centre: Vector; toParent: Vector; forward: Vector; pixels: number },
    { main, other }: Lamps,
    gameTimeMs: number,
  ): void {
    const { name, pole } = this.#body
    const radius = this.#radius
    const uniforms = this.#uniforms
    const distance = length(centre)
    const isGlobe = pixels > GLOBE_PIXELS && distance > (1 + GLOBE_HEIGHT) * radius
    this.mesh = (isGlobe && this.#globe?.group) || this.#quad
    this.near = distance - radius * this.extent
    this.far = distance + radius * this.extent
    uniforms.centre.value.set(centre[0] / radius, centre[1] / radius, centre[2] / radius)
    uniforms.forward.value.set(forward[0], forward[1], forward[2])
    uniforms.toStar.value.set(main.direction[0], main.direction[1], main.direction[2])
    uniforms.starSize.value = main.size
    uniforms.starColour.value.set(...main.colour)
    uniforms.toOtherStar.value.set(other.direction[0], other.direction[1], other.direction[2])
    const dimmed = main.size > 0 ? (other.size / main.size) ** (2 * EYE_POWER) : 0
    uniforms.otherStarColour.value.set(...other.colour).multiplyScalar(dimmed)
    bodyAxes(this.#axes, { name, pole, toParent }, gameTimeMs)
    const { meridian: a, east: b, pole: c } = this.#axes
    uniforms.axes.value.set(a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2])
    if (!isGlobe || !this.#globe) return
    const roundness = 1 + uniforms.stretch.value
    fill(this.#camera, -dot(centre, a), -dot(centre, b), -dot(centre, c) * roundness)
    this.#globe.show(this.#camera, radius)
  }

  /** @param at  from this body's centre [m] */
  cast(slot: number, at: Vector, radius: number): void {
    const own = this.#radius
    this.#uniforms.casters.value[slot].set(at[0] / own, at[1] / own, at[2] / own, radius / own)
  }

  noCastersFrom(slot: number): void {
    this.#uniforms.casterCount.value = slot
  }

  #owning(texture: Texture): Texture {
    this.#owned.push(texture)
    return texture
  }

  readonly beforeSpan = (m22: number, m32: number): void => {
    this.#uniforms.depthRow.value.set(m22, m32)
  }

  dispose(): void {
    this.#surface?.dispose()
    for (const one of this.#owned) one.dispose()
    this.#quad.material.dispose()
    this.#globe?.dispose()
  }
}

/** What the shader draws of a body. */
function partsOf(
  { name, look }: SceneBody,
  isFast: boolean,
  hasTwoStars: boolean,
): Record<string, number | string> {
  const { atmosphere, rings, flattening } = look
  const isStar = look.surface === 'star'
  return {
    RINGS: rings ? 1 : 0,
    RING_INNER: RING_INNER.toFixed(3),
    RING_OUTER: RING_OUTER.toFixed(3),
    ...(isFast && { FAST: 1 }),
    ...(flattening && { OBLATE: 1 }),
    ...(hasTwoStars && !isStar && { TWO_STARS: 1 }),
    ...(isStar && { STAR: 1 }),
    ...(name === 'Earth' && { EARTH: 1 }),
    ...(!isStar && !atmosphere && { AIRLESS: 1 }),
    ...(atmosphere && { AIR: 1 }),
  }
}
