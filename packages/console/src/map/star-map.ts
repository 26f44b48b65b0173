/** The live map of a star system: what it shows, and how it is led. */
import { createShipSample } from '@orrery/client/flight'
import { type ReadonlySignal, type Signal, effect, signal } from '@preact/signals'
import { fill, followPixels, length, vector } from '@orrery/page-kit'
import { FlightAhead } from './flight-ahead.ts'
import { type MapColours, mapColours, rgbOf } from './map-colours.ts'
import { drawMap } from './map-drawing.ts'
import { type MapMoves, followGestures } from './map-gestures.ts'
import { MapPicture } from './map-picture.ts'
import { bodyAround, thingAt } from './map-picking.ts'
import { type MapThing, isSameThing } from './map-thing.ts'
import { MapView, type Point } from './map-view.ts'
import { NameLabels } from './name-labels.ts'
import type { Observer } from './observer.ts'
import { ShipDots } from './ship-dots.ts'
import { ORIGIN, type SystemBodies } from './system-bodies.ts'
import { createThingPlace, thingPlace } from './thing-place.ts'

/** Elements of the page that the map lives in. */
export interface MapPlaces {
  /** takes pointers and keys */
  readonly stage: HTMLElement
  /** the picture, and above it the ships */
  readonly ground: HTMLCanvasElement
  readonly dots: HTMLCanvasElement
}

/** What has moved farther is drawn again [px]. */
const MOVED_PIXELS = 0.05

/** What moves fastest [m/s], and least time between two pictures when it is slow [ms]. */
const SPEED_MAX = 50_000
const PERIOD_MS_MAX = 1000

/** Between two readings of the panels [ms]. */
const READING_MS = 250

/** A canvas has no more pixels than so many for each of the page, one way. */
const RATIO_MAX = 2

/** What is near, in sizes of the picture. */
const SYSTEM_SIZES = 2.2
const BODY_SIZES = 6
const ORBIT_SIZES = 2.8

/** A ship as large as a hand [m per px]. */
const HULL_SCALE = 0.2

const place = createThingPlace()
const shift = vector()

export class StarMap implements MapMoves {
  readonly observer: Observer
  readonly view: MapView = new MapView()
  readonly chosen: Signal<MapThing | undefined> = signal(undefined)
  readonly isFollowing: Signal<boolean> = signal(false)
  readonly ahead: FlightAhead
  /** counts up when panels may read again */
  readonly readings: ReadonlySignal<number>
  readonly #readings = signal(0)
  readonly #ground: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #dots: ShipDots
  readonly #labels = new NameLabels()
  readonly #ship = createShipSample()
  readonly #stops: readonly (() => void)[]
  #colours: MapColours
  #places = new Float64Array(0)
  #system: SystemBodies | undefined
  #drawnMs = -Infinity
  #drawnRevision = -1
  #readMs = -Infinity
  #isChanged = true
  #request = 0

  constructor(observer: Observer, { stage, ground, dots }: MapPlaces) {
    const context = ground.getContext('2d')
    if (!context) throw new Error('This browser has no canvas')
    this.observer = observer
    this.readings = this.#readings
    this.ahead = new FlightAhead(observer.flight)
    this.#ground = ground
    this.#context = context
    this.#dots = new ShipDots(dots)
    this.#colours = mapColours(ground)
    this.#stops = [
      followGestures(stage, this),
      () => this.ahead.close(),
      ...this.#watch(),
      effect(() => {
        const { value } = this.chosen
        this.#isChanged = true
        this.ahead.follow(value?.kind === 'ship' ? value.id : undefined)
      }),
    ]
    this.#resize()
    const draw = (nowMs: number): void => {
      this.#request = requestAnimationFrame(draw)
      this.#draw(nowMs)
    }
    this.#request = requestAnimationFrame(draw)
  }

  /** Lattice index of what is shown. */
  get time(): number {
    return this.observer.flight.clock.now()
  }

  pan(x: number, y: number): void {
    this.isFollowing.value = false
    this.view.pan(x, y)
    this.#moveWith()
  }

  zoom(factor: number, at?: Point): void {
    // What is followed stays in the middle.
    if (this.isFollowing.value) return this.view.zoom(factor)
    this.view.zoom(factor, at)
    this.#moveWith()
  }

  turn(turn: number, tilt: number): void {
    this.view.turnBy(turn, tilt)
  }

  choose(at: Point, reach: number): void {
    const picture = this.#picture()
    if (!picture) return
    this.#placeShips(picture)
    const found = thingAt(picture, this.#dots, at, reach)
    if (!found || !isSameThing(found, this.chosen.value)) this.isFollowing.value = false
    this.chosen.value = found
  }

  press(key: string): boolean {
    const { width, height } = this.view
    if (key === 'Enter') this.choose({ x: width / 2, y: height / 2 }, Math.min(width, height) / 6)
    else if (key === 'Escape') this.chosen.value = undefined
    else if (key === 'f') this.follow(!this.isFollowing.value)
    else if (key === 'n') this.goNear()
    else if (key === '0') this.showSystem()
    else return false
    return true
  }

  /** Keeps what is chosen in the middle, or no more. */
  follow(isWanted: boolean): void {
    const { value } = this.chosen
    this.isFollowing.value = isWanted && value !== undefined && value.kind !== 'altitude'
    this.#isChanged = true
  }

  /** Chooses a thing and shows it with what is around it. */
  show(thing: MapThing): void {
    this.chosen.value = thing
    this.follow(true)
    const picture = this.#picture()
    if (!picture || !thingPlace(place, picture.parts, thing)) return
    this.view.lookAt(place.body, place.offset, this.#scaleAround(picture.parts.system, thing))
  }

  /** Shows what is chosen as near as it has a size. */
  goNear(): void {
    const { value: thing } = this.chosen
    const picture = this.#picture()
    if (!thing || !picture || !thingPlace(place, picture.parts, thing)) return
    this.follow(true)
    const { world } = picture.parts
    const object = thing.kind === 'object' && world.objects().find(({ id }) => id === thing.id)
    const scale = object
      ? (BODY_SIZES * object.radius) / this.#size
      : thing.kind === 'ship'
        ? HULL_SCALE
        : this.#scaleAround(picture.parts.system, thing)
    this.view.lookAt(place.body, place.offset, scale)
  }

  /** Shows the star system as a whole, from above. */
  showSystem(): void {
    const { value: system } = this.observer.system
    if (!system) return
    this.isFollowing.value = false
    this.view.turnTo(0, 0)
    let most = 0
    let star = 0
    for (const [i, { parent }] of system.bodies.entries()) {
      if (parent < 0) star = i
      else most = Math.max(most, system.distance(i))
    }
    this.view.lookAt(star, ORIGIN, (SYSTEM_SIZES * most) / this.#size)
  }

  close(): void {
    cancelAnimationFrame(this.#request)
    for (const stop of this.#stops) stop()
  }

  get #size(): number {
    return Math.min(this.view.width, this.view.height)
  }

  #scaleAround(system: SystemBodies, thing: MapThing): number {
    const size = this.#size
    if (thing.kind === 'body') {
      const { radius, kind } = system.bodies[thing.body]
      return ((kind === 'star' ? 40 : BODY_SIZES) * radius) / size
    }
    if (thing.kind === 'lagrange') return (ORBIT_SIZES * system.distance(thing.body)) / size
    return (ORBIT_SIZES * length(place.offset)) / size
  }

  #watch(): (() => void)[] {
    const { world } = this.observer.flight
    const change = (): void => {
      this.#isChanged = true
    }
    const recolour = (): void => {
      this.#colours = mapColours(this.#ground)
      change()
    }
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', recolour)
    return [
      () => scheme.removeEventListener('change', recolour),
      followPixels(this.#ground, () => this.#resize()),
      ...(['joined', 'left', 'named', 'objects'] as const).map((kind) => world.on(kind, change)),
      this.ahead.forecast.subscribe(change),
    ]
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#ground
    const ratio = Math.min(devicePixelRatio, RATIO_MAX)
    this.#ground.width = Math.max(1, Math.round(width * ratio))
    this.#ground.height = Math.max(1, Math.round(height * ratio))
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#dots.resize(width, height, ratio)
    this.view.resize(width, height)
    this.#isChanged = true
  }

  /** Moves the system to now; undefined before it is known. */
  #picture(): MapPicture | undefined {
    const { flight, system: known } = this.observer
    const { value: system } = known
    const { time, view } = this
    if (!system?.advance(flight.world, time)) return undefined
    if (system !== this.#system) this.#enter(system)
    return new MapPicture({
      context: this.#context,
      view,
      colours: this.#colours,
      world: flight.world,
      system,
      time,
      chosen: this.chosen.peek(),
    })
  }

  #enter(system: SystemBodies): void {
    const isAnother = system.id !== this.#system?.id
    this.#system = system
    if (!isAnother) return
    this.chosen.value = undefined
    this.showSystem()
  }

  #isDue(nowMs: number): boolean {
    const passedMs = nowMs - this.#drawnMs
    const { scale } = this.observer.flight.clock
    const moved = (SPEED_MAX * scale * passedMs) / 1000 / this.view.scale
    const isSame = !this.#isChanged && this.view.revision === this.#drawnRevision
    return !isSame || moved > MOVED_PIXELS || passedMs > PERIOD_MS_MAX
  }

  #draw(nowMs: number): void {
    if (!this.#isDue(nowMs)) return
    const picture = this.#picture()
    if (!picture) return
    this.#drawnMs = nowMs
    this.#isChanged = false
    this.#followChosen(picture)
    const seen = this.#placeShips(picture)
    this.#drawnRevision = this.view.revision
    drawMap(picture, {
      labels: this.#labels,
      dots: this.#dots,
      seen,
      ahead: this.ahead,
      ship: this.#ship,
    })
    if (nowMs - this.#readMs < READING_MS) return
    this.#readMs = nowMs
    this.#readings.value++
  }

  #placeShips({ parts: { world, system, time } }: MapPicture): number {
    const count = world.completeness().known
    if (this.#places.length < 3 * count) this.#places = new Float64Array(6 * count)
    const { name, radius } = system.bodies[this.view.center.body]
    world.positionsAt(this.#places, time, name)
    this.#dots.paint(rgbOf(this.#colours.ship))
    return this.#dots.draw(this.#places, count, this.view, radius)
  }

  #followChosen({ parts }: MapPicture): void {
    if (!this.isFollowing.peek() || !parts.chosen) return
    if (!thingPlace(place, parts, parts.chosen)) return
    const { center } = this.view
    center.body = place.body
    fill(center.offset, place.offset[0], place.offset[1], place.offset[2])
  }

  #moveWith(): void {
    const picture = this.#picture()
    if (!picture) return
    fill(shift, 0, 0, 0)
    this.view.moveWith(bodyAround(picture, shift, 1), picture.parts.system.chain)
  }
}
