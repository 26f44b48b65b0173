/** Ships: models where they are near enough for a shape, points of light beyond. */
import type { RawShaderMaterial } from 'three'
import { type Ship, type ShipSample, createShipSample } from '@orrery/client/flight'
import { turned } from '../space/attitude.ts'
import { vector, type Vector } from '@orrery/page-kit'
import type { Ambient } from '../scene/ambient.ts'
import { Berths } from './berths.ts'
import { COURIER_RADIUS, NOZZLE, courierModel } from './courier-model.ts'
import { shipScale } from './ship-scale.ts'
import { FLAME_LENGTH, FLARE_SIZE, flames, flares } from './flame.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import { LightPoints } from './light-points.ts'
import { ModelMesh, rise } from './model-mesh.ts'
import { modelMaterial } from './model-shader.ts'
import type { Drawable, SceneLayer } from '../scene/scene-layer.ts'
import { ShipPlaces } from './ship-places.ts'
import { Sight } from '../scene/sight.ts'
import type { CraftClass, CraftWorld } from '../scene/surroundings.ts'
import { Solid } from './solid.ts'

const COLOUR = [0.72, 0.87, 1] as const

/** A model fades in between these radii on the screen [px], its point out a little later. */
const MODEL_PIXELS = [0.8, 1.8] as const
const POINT_PIXELS = [1.4, 2.6] as const

/** From this radius [px] a ship is drawn with all its parts. */
const DETAIL_PIXELS = 9

const CAPACITY = 64
const DETAILED = 12

/** No engine is seen at less. */
const THRUST_MIN = 1e-3

const ORDER = 0

/** A ship whose model is placed. */
interface Seen {
  /** its radius on the screen */
  readonly pixels: number
  readonly scale: number
  readonly hull: Hull
  readonly world: CraftWorld
  readonly time: number
}

/** A model from near and one from afar, and where its flame is. */
interface Hull {
  readonly detailed: ModelMesh
  readonly simple: ModelMesh
  readonly nozzle: Vector
  /** of its flame, in that of a courier's */
  readonly width: number
}

interface Pose {
  readonly position: Vector
  readonly attitude: Float64Array
  /** of the model */
  readonly scale: number
}

export class ShipLayer implements SceneLayer {
  readonly drawables: Drawable[]
  version = 0
  readonly places: ShipPlaces = new ShipPlaces()
  readonly #points: LightPoints
  /** how much of a point is left beside its model, by index; 1 but for those in `#faded` */
  #weights = new Float32Array(0)
  readonly #faded: number[] = []
  readonly #sight: Sight
  readonly #material: RawShaderMaterial
  readonly #courier: Hull
  /** by class; the courier's until the model of a class is loaded */
  readonly #hulls = new Map<string, Hull>()
  readonly #flames = flames(CAPACITY)
  readonly #flares: ModelMesh
  readonly #berths: Berths
  readonly #pixel = { value: 1 }
  readonly #state: ShipSample = createShipSample()
  readonly #position = vector()
  readonly #nozzle = vector()
  readonly #meshes: ModelMesh[]

  constructor(ambient: Ambient, berths: Berths) {
    this.#berths = berths
    this.#points = new LightPoints(COLOUR, ambient)
    this.#sight = new Sight(ambient)
    this.#material = modelMaterial(ambient)
    this.#flares = flares(CAPACITY, this.#pixel)
    this.#meshes = [this.#flames, this.#flares]
    this.drawables = [this.#points, ...this.#meshes]
    this.#courier = this.#hull(courierModel, NOZZLE)
  }

  #hull(solid: (sides: number) => Solid, { x, radius }: typeof NOZZLE): Hull {
    const mesh = (sides: number, capacity: number): ModelMesh =>
      new ModelMesh(solid(sides).geometry(), this.#material, {
        capacity,
        order: ORDER,
        isSurface: true,
        radius: COURIER_RADIUS,
      })
    const hull = {
      detailed: mesh(16, DETAILED),
      simple: mesh(6, CAPACITY),
      nozzle: vector(x, 0, 0),
      width: radius / NOZZLE.radius,
    }
    this.#meshes.push(hull.detailed, hull.simple)
    this.drawables.push(hull.detailed, hull.simple)
    this.version++
    return hull
  }

  #hullOf({ classes }: CraftWorld, name: string): Hull {
    const known = this.#hulls.get(name)
    const shipClass = classes.find((one) => one.name === name)
    if (known || name === 'courier' || !shipClass) return known ?? this.#courier
    this.#hulls.set(name, this.#courier)
    void this.#load(shipClass)
    return this.#courier
  }

  async #load(shipClass: CraftClass): Promise<void> {
    // Where it does not load, its ships stay couriers.
    const made = await import('./class-hull.ts').catch(() => undefined)
    if (!made) return
    const { draw, nozzle } = made.classHull(shipClass)
    this.#hulls.set(
      shipClass.name,
      this.#hull((sides) => draw(new Solid(), sides), nozzle),
    )
  }

  place(frame: Frame, lens: Lens): void {
    const { craft } = frame.surroundings
    for (const mesh of this.#meshes) mesh.clear()
    this.#points.isVisible = false
    if (!craft) return
    this.#pixel.value = 1 / lens.focal
    this.places.update(frame, lens, craft.world)
    this.#placeModels(frame, lens, craft.world)
    this.#placePoints(frame, lens)
    for (const mesh of this.#meshes) mesh.upload()
  }

  #placeModels({ time }: Frame, { focal }: Lens, world: CraftWorld): void {
    const ships = world.ships()
    const { nearest } = this.places
    this.#resetWeights()
    for (let k = 0; k < nearest.count; k++) {
      const index = nearest.indices[k]
      const scale = shipScale(world, ships[index])
      const pixels = (focal * scale * COURIER_RADIUS) / Math.max(Math.sqrt(nearest.squares[k]), 1)
      // A larger hull may be behind.
      if (pixels < MODEL_PIXELS[0]) continue
      this.#weights[index] = 1 - rise(pixels, POINT_PIXELS)
      this.#faded.push(index)
      const hull = this.#hullOf(world, ships[index].shipClass)
      this.#placeModel(ships[index], index, { pixels, scale, hull, world, time })
    }
  }

  #resetWeights(): void {
    for (const index of this.#faded) this.#weights[index] = 1
    this.#faded.length = 0
    const { count } = this.places
    if (this.#weights.length >= count) return
    this.#weights = new Float32Array(Math.ceil(1.25 * count)).fill(1)
  }

  #placeModel({ id }: Ship, index: number, { pixels, scale, hull, world, time }: Seen): void {
    const state = this.#state
    const { attitude } = state
    attitude.fill(0)
    attitude[0] = 1
    state.thrustLevel = 0
    if (!world.shipAt(state, id, time)) return
    this.places.placeOf(this.#position, index)
    if (this.#berths.moor(this.#position, attitude, id)) this.places.moveTo(index, this.#position)
    const pose = { position: this.#position, attitude, scale }
    const strength = rise(pixels, MODEL_PIXELS)
    const isNear = pixels > DETAIL_PIXELS && hull.detailed.add({ ...pose, strength })
    if (!isNear) hull.simple.add({ ...pose, strength })
    if (state.thrustLevel > THRUST_MIN) this.#burn(pose, hull, state.thrustLevel)
  }

  /** Only what is in sight costs the rasteriser anything. */
  #placePoints(frame: Frame, lens: Lens): void {
    const { values, count } = this.places
    const seen = this.#sight.find(values.subarray(0, 3 * count), frame, lens, this.places)
    const { found } = this.#sight
    const out = this.#points.reserve(seen)
    const weights = this.#weights
    let near = Infinity
    let far = 0
    for (let k = 0; k < seen; k++) {
      const i = found[k]
      const x = values[3 * i]
      const y = values[3 * i + 1]
      const z = values[3 * i + 2]
      const square = x * x + y * y + z * z
      if (square < near) near = square
      if (square > far) far = square
      out[4 * k] = x
      out[4 * k + 1] = y
      out[4 * k + 2] = z
      out[4 * k + 3] = weights[i]
    }
    Object.assign(this.#points, { near: Math.sqrt(near), far: Math.sqrt(far) })
    this.#points.upload(seen, lens.pixelRatio)
  }

  #burn({ position, attitude, scale }: Pose, hull: Hull, strength: number): void {
    const nozzle = turned(this.#nozzle, attitude, hull.nozzle)
    for (let axis = 0; axis < 3; axis++) nozzle[axis] = scale * nozzle[axis] + position[axis]
    const size = scale * hull.width
    this.#flames.add({ position: nozzle, attitude, scale: size * FLAME_LENGTH, strength })
    this.#flares.add({ position: nozzle, attitude, scale: size * FLARE_SIZE, strength })
  }

  dispose(): void {
    this.#points.dispose()
    for (const mesh of this.#meshes) mesh.dispose()
  }
}
