/** Stars and the Milky Way, infinitely far away. */
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  Points,
  Scene,
  type Texture,
} from 'three'
import { sphereGrid } from '../space/sphere-cap.ts'
import type { Vector } from '@orrery/page-kit'
import { CapGeometry } from '../scene/cap-geometry.ts'
import { shaderMaterial } from '../scene/materials.ts'
import { MILKY_WAY_FRAGMENT, MILKY_WAY_VERTEX, STARS_FRAGMENT, STARS_VERTEX } from './sky-shader.ts'
import { STAR_BYTES, starDirections } from './star-directions.ts'

export class Sky {
  readonly scene: Scene = new Scene()
  readonly #scale = { value: 1 }
  readonly #pixelRatio = { value: 1 }
  #dome: CapGeometry | undefined

  /**
   * @param forward  where the camera looks
   * @param radius  from there to the corners of the picture [rad]
   */
  turn(forward: Vector, radius: number): void {
    this.#dome?.show(forward, radius)
  }

  /** @param scale  of the stars' images, for the size of the canvas */
  resize(pixelRatio: number, scale: number): void {
    this.#pixelRatio.value = pixelRatio
    this.#scale.value = scale
  }

  addMilkyWay(map: Texture<ImageBitmap>): void {
    const material = shaderMaterial({
      vertexShader: MILKY_WAY_VERTEX,
      fragmentShader: MILKY_WAY_FRAGMENT,
      uniforms: { map: { value: map } },
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
    })
    this.#dome = new CapGeometry(sphereGrid(DOME_ROWS, litCells(map.image)))
    const mesh = new Mesh(this.#dome, material)
    mesh.frustumCulled = false
    mesh.renderOrder = -1
    this.scene.add(mesh)
  }

  /** @param bytes  as the build writes them */
  addStars(bytes: ArrayBuffer): void {
    const count = bytes.byteLength / STAR_BYTES
    const view = new DataView(bytes)
    const lights = new Float32Array(4 * count)
    const sizes = new Float32Array(count)
    for (let i = 0; i < count; i++) {
      const magnitude = view.getUint8(STAR_BYTES * i + 6) / 30 - 2
      const flux = 10 ** (-0.4 * (magnitude - 2.2))
      lights.set(starColour(view.getUint8(STAR_BYTES * i + 7) / 90 - 0.5), 4 * i)
      lights[4 * i + 3] = Math.min(0.42 + 0.55 * flux ** 0.4, 1)
      sizes[i] = Math.min(Math.max(2.1 + 2.4 * flux ** 0.36, 2.2), 12)
    }
    const geometry = new BufferGeometry()
      .setAttribute('direction', new BufferAttribute(starDirections(bytes), 3))
      .setAttribute('light', new BufferAttribute(lights, 4))
      .setAttribute('size', new BufferAttribute(sizes, 1))
    geometry.setDrawRange(0, count)
    const material = shaderMaterial({
      vertexShader: STARS_VERTEX,
      fragmentShader: STARS_FRAGMENT,
      uniforms: { pixelRatio: this.#pixelRatio, scale: this.#scale },
      depthTest: false,
      depthWrite: false,
    })
    const stars = new Points(geometry, material)
    stars.frustumCulled = false
    this.scene.add(stars)
  }
}

/** Red, green and blue of a star, paler than a black body. */
function starColour(colourIndex: number): number[] {
  const kelvins = 4600 * (1 / (0.92 * colourIndex + 1.7) + 1 / (0.92 * colourIndex + 0.62))
  const t = kelvins / 1000
  const body =
    t < 6.6
      ? [1, 0.39 * Math.log(t) + 0.16, 0.55 * Math.log(t - 1) - 0.04]
      : [1.26 * (t - 5.4) ** -0.13, 1.12 * (t - 5.4) ** -0.075, 1]
  return body.map((value) => 0.15 + 0.85 * Math.min(Math.max(value, 0), 1))
}

/** Cells from pole to pole of what is drawn of the Milky Way. */
const DOME_ROWS = 60

/** Pixels of the map along a cell that are looked at. */
const CELL_PIXELS = 4

/** Of 255, what no eye sees: the shader shows a third of it. */
const DARK = 4

/** Which cells of the sky, by row from the south and column, have light. */
function litCells(image: CanvasImageSource): (row: number, column: number) => boolean {
  const [width, height] = [2 * DOME_ROWS * CELL_PIXELS, DOME_ROWS * CELL_PIXELS]
  const pen = new OffscreenCanvas(width, height).getContext('2d')
  pen?.drawImage(image, 0, 0, width, height)
  const { data } = pen?.getImageData(0, 0, width, height) ?? {}
  return (row, column) => {
    if (!data) return true
    const top = row * CELL_PIXELS
    const left = column * CELL_PIXELS
    // One pixel more on each side, for what is read between pixels.
    for (let y = Math.max(top - 1, 0); y < Math.min(top + CELL_PIXELS + 1, height); y++) {
      for (let x = left - 1; x <= left + CELL_PIXELS; x++) {
        if (data[4 * (y * width + ((x + width) % width))] > DARK) return true
      }
    }
    return false
  }
}
