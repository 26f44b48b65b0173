/**
 * Draws layers as seen from a place in space. The camera is the origin: positions are differences
 * along the chain of bodies in doubles, and only then floats.
 */
import { Matrix4, type Object3D, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three'
import { type DepthSpan, type Extent, depthSpans } from '../space/depth-spans.ts'
import type { Frame, Lens, Orientation } from '../scene/frame.ts'
import type { Graphics } from '../scene/graphics.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'
import { Sky } from '../sky/sky.ts'
import { SurfaceMaps } from '../bodies/surface-maps.ts'

/** Nothing is drawn nearer to the camera, or farther [m]. */
const REACH: Extent = { near: 0.05, far: 1e15 }

export class SpaceView {
  readonly sky: Sky = new Sky()
  /** undefined without WebGL 2 */
  readonly maps: SurfaceMaps | undefined
  readonly #lens = { width: 1, height: 1, pixelRatio: 1, focal: 1 }
  readonly #renderer: WebGLRenderer | undefined
  readonly #camera = new PerspectiveCamera()
  readonly #scene = new Scene()
  readonly #layers = new Set<SceneLayer>()
  readonly #basis = new Matrix4()
  readonly #axes = [new Vector3(), new Vector3(), new Vector3()] as const

  /** @param graphics  undefined without WebGL 2: layers are placed and nothing is drawn */
  constructor(canvas: HTMLCanvasElement, graphics: Graphics | undefined) {
    if (!graphics) return
    // The picture covers what is behind it: the browser need not mix them.
    const context = canvas.getContext('webgl2', { alpha: false, antialias: graphics.antialias })
    this.#renderer = new WebGLRenderer({ canvas, context: context ?? undefined })
    this.#renderer.autoClear = false
    // Each span has its drawables in their order.
    this.#renderer.sortObjects = false
    // All drawables have the axes of the star system.
    this.#scene.matrixWorldAutoUpdate = false
    this.sky.scene.matrixWorldAutoUpdate = false
    this.maps = new SurfaceMaps(this.#renderer, graphics)
  }

  get lens(): Lens {
    return this.#lens
  }

  /** Returns how to take it away; it disposes of nothing. */
  addLayer(layer: SceneLayer): () => void {
    this.#layers.add(layer)
    return () => this.#layers.delete(layer)
  }

  /** @param fieldOfView  of the shorter side [rad] */
  resize(
    { width, height }: { readonly width: number; readonly height: number },
    pixelRatio: number,
    fieldOfView: number,
  ): void {
    this.#renderer?.setPixelRatio(pixelRatio)
    this.#renderer?.setSize(width, height, false)
    const focal = Math.min(width, height) / 2 / Math.tan(fieldOfView / 2)
    Object.assign(this.#lens, { width, height, pixelRatio, focal })
    this.#camera.aspect = width / height
    this.#camera.fov = (Math.atan(height / 2 / focal) * 360) / Math.PI
    this.sky.resize(pixelRatio, Math.min(Math.max(Math.min(width, height) / 700, 0.8), 1.5))
  }

  draw(frame: Frame): void {
    this.#turn(frame)
    for (const layer of this.#layers) layer.place(frame, this.#lens)
    if (!this.#renderer) return
    this.sky.turn(frame.forward, Math.acos(this.#slant()))
    this.#renderer.clear()
    this.#project({ near: 0.1, far: 10 })
    this.#renderer.render(this.sky.scene, this.#camera)
    this.#drawSpans(this.#renderer)
  }

  #turn({ right, up, forward }: Orientation): void {
    const [r, u, b] = this.#axes
    r.set(right[0], right[1], right[2])
    u.set(up[0], up[1], up[2])
    b.set(-forward[0], -forward[1], -forward[2])
    this.#camera.quaternion.setFromRotationMatrix(this.#basis.makeBasis(r, u, b))
    this.#camera.updateMatrixWorld(true)
  }

  #project({ near, far }: Extent): void {
    this.#camera.near = near
    this.#camera.far = far
    this.#camera.updateProjectionMatrix()
  }

  #drawSpans(renderer: WebGLRenderer): void {
    const visible: Drawable[] = []
    for (const { drawables } of this.#layers) {
      for (const drawable of drawables) if (drawable.isVisible) visible.push(drawable)
    }
    visible.sort((a, b) => a.order - b.order || b.far - a.far)
    const surfaces = visible.filter(({ isSurface }) => isSurface)
    // In a corner of the picture the depth of a point is less than its distance.
    const slant = this.#slant()
    const extents = surfaces.map(({ near, far }) => ({ near: near * slant, far }))
    const nearest = visible.reduce((least, { near }) => Math.min(least, near), REACH.far)
    const reach = { near: Math.max(nearest * slant, REACH.near), far: REACH.far }
    for (const span of depthSpans(extents, reach)) {
      const members = new Set(span.members.map((member) => surfaces[member]))
      const drawn = visible.filter((drawable) => {
        if (drawable.isSurface) return members.has(drawable)
        return drawable.near * slant < span.far && drawable.far >= span.near
      })
      if (drawn.length > 0) this.#drawSpan(renderer, span, drawn)
    }
  }

  #drawSpan(renderer: WebGLRenderer, span: DepthSpan, drawn: readonly Drawable[]): void {
    this.#project(span)
    const { elements } = this.#camera.projectionMatrix
    const { children }: { children: Object3D[] } = this.#scene
    children.length = 0
    for (const { mesh, beforeSpan } of drawn) {
      beforeSpan?.(elements[10], elements[14])
      children.push(mesh)
    }
    renderer.clearDepth()
    renderer.render(this.#scene, this.#camera)
  }

  /** Cosine of the angle from the middle of the picture to its corner. */
  #slant(): number {
    const { width, height, focal } = this.#lens
    return focal / Math.hypot(focal, width / 2, height / 2)
  }
}
