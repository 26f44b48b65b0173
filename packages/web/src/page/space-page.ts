/** The picture as the page has it: what is shown, from where, and how many pixels are drawn. */
import { type ReadonlySignal, type Signal, batch, effect, signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import type { Berths } from '../craft/berths.ts'
import { BodyLayer } from '../bodies/body-layer.ts'
import type { Frame, Lens } from '../scene/frame.ts'
import type { SceneLayer } from '../scene/scene-layer.ts'
import type { Graphics } from '../scene/graphics.ts'
import { SpaceView } from './space-view.ts'
import { type Seen, ViewLink } from './view-link.ts'
import { loadedMap } from '../bodies/surface-maps.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { BodyChain, dot, followPixels, length, vector, type Vector } from '@orrery/page-kit'
import { earthClouds, earthDay, earthNight, earthSmall, milkyWay, stars } from './assets.ts'
import { bodyOutlook, homeOutlook, objectOutlook, overview } from '../view/aims.ts'
import { byId } from '../view/elements.ts'
import { BodyLabels } from '../labels/body-labels.ts'
import { LabelLayer } from '../labels/label-layer.ts'
import type { LabelSource } from '../view/label-source.ts'
import { choose, thingAt } from './picking.ts'
import { PictureQuality } from './picture-quality.ts'
import { type PlaceBuffer, PlaceFinder } from '../view/place-finder.ts'
import type { Picture, Stage } from '../view/stage.ts'
import { type ViewAddress, parsedAddress } from '../view/view-address.ts'
import { GROUND_LEFT, type Outlook, ViewCamera } from '../view/view-camera.ts'

/** Of the shorter side of the picture [rad]. */
const FIELD_OF_VIEW = 0.8

/** What stands before the picture. */
const COVERS = '.slot:not(.top) > *, .tab-bar'

/** Between two looks at what stands before the picture [ms]. */
const COVERS_MS = 1000

/** On a picture higher than wide things are looked at from so much farther. */
const PORTRAIT_STRETCH = 1.25

const CONTEXT_LOST = {
  subject: 'picture',
  kind: 'warning',
  text: say('The graphics card is not available. The picture returns as soon as it is.'),
  isLasting: true,
} as const

export class SpacePage implements Stage {
  frame: Frame | undefined
  readonly #quality: PictureQuality
  readonly #game: Game
  readonly #graphics: Graphics | undefined
  readonly #surroundings: Signal<Surroundings | undefined> = signal(undefined)
  readonly #canvas = byId('space', HTMLCanvasElement)
  readonly #view: SpaceView
  readonly #camera = new ViewCamera(new BodyChain([-1]))
  readonly #finder = new PlaceFinder()
  readonly #place: PlaceBuffer = { body: 0, offset: vector() }
  readonly #listeners = new Set<(frame: Frame) => void>()
  readonly #labelSources = new Set<LabelSource>()
  readonly #givePictures = new Set<(picture: Picture | undefined) => void>()
  #bodies: BodyLayer | undefined
  readonly #labels: LabelLayer
  #removeBodies = (): void => undefined
  /** what the camera looks at: follows the focus of the game */
  #looked: Thing | undefined
  #coveredAtMs = 0
  /** of the last picture, where it was not the present [Unix ms] */
  #date: number | undefined
  readonly #link: ViewLink

  /** @param graphics  undefined without WebGL 2: names are shown without a picture */
  constructor(game: Game, graphics: Graphics | undefined) {
    this.#game = game
    this.#graphics = graphics
    this.#view = new SpaceView(this.#canvas, graphics)
    const { quality, isCalm } = game.settings
    const labels = byId('labels', HTMLElement)
    this.#labels = new LabelLayer(labels, this, this.#labelSources, (thing) => choose(game, thing))
    this.#quality = new PictureQuality(game.settings)
    this.#link = new ViewLink(game)
    effect(() => {
      this.#camera.isCalm = isCalm.value
    })
    quality.subscribe(() => this.#resize())
    followPixels(this.#canvas, () => this.#resize())
    addEventListener('hashchange', () => {
      if (this.#link.isOwn) return
      game.guestSystem.value = parsedAddress(location.hash)?.system ?? game.guestSystem.value
      this.#followAddress()
    })
    if (graphics) this.#followContext()
  }

  #loadSky(graphics: Graphics): void {
    const { sky } = this.#view
    void loadedMap(milkyWay, graphics).then((map) => sky.addMilkyWay(map))
    void fetch(stars)
      .then((answer) => answer.arrayBuffer())
      .then((bytes) => sky.addStars(bytes))
  }

  /** Goes on without a picture while the browser has no graphics card for it. */
  #followContext(): void {
    const { notices } = this.#game
    this.#canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault()
      notices.show({
        ...CONTEXT_LOST,
        action: { label: say('Reload'), act: () => location.reload() },
      })
    })
    this.#canvas.addEventListener('webglcontextrestored', () => {
      this.#bodies?.forgetMaps()
      notices.withdraw(CONTEXT_LOST.subject)
    })
  }

  get surroundings(): ReadonlySignal<Surroundings | undefined> {
    return this.#surroundings
  }

  get berths(): Berths {
    return this.#finder.berths
  }

  get lens(): Lens {
    return this.#view.lens
  }

  show(around: Surroundings): void {
    const before = this.#surroundings.peek()
    around.advance(performance.now())
    if (!before || !this.#bodies || !haveSameBodies(before, around)) this.#showBodies(around)
    this.#camera.enter(around.chain)
    this.#surroundings.value = around
    this.frame = undefined
    const isKnown = this.#looked && this.placeOf(this.#place, this.#looked)
    if (!isKnown || this.#link.isNew) this.#arrive()
    if (before) return
    requestAnimationFrame((nowMs) => this.#draw(nowMs))
    // The planet is there first.
    if (this.#graphics) this.#loadSky(this.#graphics)
  }

  /** Looks at the home until the place to look at is known here. */
  #arrive(): void {
    const { focus } = this.#game
    const chosen = focus.peek()
    batch(() => {
      if (!this.#followAddress()) this.goHome()
      if (chosen && chosen.kind !== 'body') focus.value = chosen
    })
    this.#camera.settle()
  }

  addLayer(layer: SceneLayer): () => void {
    return this.#view.addLayer(layer)
  }

  addLabels(source: LabelSource): () => void {
    this.#labelSources.add(source)
    return () => this.#labelSources.delete(source)
  }

  onFrame(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  project(out: { x: number; y: number }, point: Vector): boolean {
    const { width, height, focal } = this.lens
    const depth = dot(point, this.#camera.forward)
    out.x = width / 2 + (focal * dot(point, this.#camera.right)) / depth
    out.y = height / 2 - (focal * dot(point, this.#camera.up)) / depth
    return depth > 0
  }

  placeOf(out: PlaceBuffer, thing: Thing): boolean {
    const around = this.#surroundings.peek()
    return around !== undefined && this.#finder.placeOf(out, thing, around)
  }

  thingAt(x: number, y: number, reach: number): Thing | undefined {
    return thingAt(this.#labelSources, (out, point) => this.project(out, point), { x, y, reach })
  }

  turn(yaw: number, pitch: number): void {
    this.#camera.turn(yaw, pitch)
    this.#link.noteChange(performance.now())
  }

  zoom(factor: number): void {
    this.#camera.zoom(factor)
    this.#link.noteChange(performance.now())
  }

  get outlook(): Outlook {
    const { aim, least } = this.#camera
    return { aim: { ...aim }, least }
  }

  lookFrom(thing: Thing, outlook: Outlook): void {
    if (!this.placeOf(this.#place, thing)) return
    this.#looked = thing
    this.#game.focus.value = thing
    this.#camera.lookAt(this.#place, outlook, performance.now())
    this.#link.noteChange(performance.now())
  }

  goHome(): void {
    const around = this.#surroundings.peek()
    if (!around) return
    const outlook = homeOutlook(around, this.#stretch())
    this.lookFrom(this.#thingOf(outlook.body), outlook)
  }

  showAll(): void {
    const around = this.#surroundings.peek()
    if (!around) return
    const outlook = overview(around)
    this.lookFrom(this.#thingOf(outlook.body), outlook)
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    this.#view.resize({ width, height }, this.#quality.pixelRatio, FIELD_OF_VIEW)
  }

  #showBodies(around: Surroundings): void {
    const { bodies } = around
    this.#removeBodies()
    const layer = new BodyLayer(bodies, this.#view.maps, this.#graphics?.isSoftware ?? true)
    const removals = [
      this.#view.addLayer(layer),
      this.addLabels(new BodyLabels(this, layer, around)),
    ]
    this.#removeBodies = () => {
      for (const remove of removals) remove()
      layer.dispose()
    }
    this.#bodies = layer
    this.#resize()
    this.#loadEarth(
      layer,
      bodies.findIndex(({ name }) => name === 'Earth'),
    )
  }

  #loadEarth(layer: BodyLayer, body: number): void {
    const graphics = this.#graphics
    if (body < 0 || !graphics) return
    const earth = layer.disc(body)
    const load = async (part: 'map' | 'clouds' | 'night', address: string): Promise<void> => {
      earth.useEarth(
        part,
        await loadedMap(address, graphics, address === earthDay || part === 'night'),
      )
    }
    // On a slow network the large image comes much later.
    void load('map', earthSmall)
      .then(() => load('map', earthDay))
      .then(() => load('clouds', earthClouds))
      .then(() => load('night', earthNight))
  }

  #thingOf(body: number): Thing {
    const { name } = this.#surroundings.peek()?.bodies[body] ?? { name: '' }
    return { kind: 'body', name }
  }

  /** Turns to the focus of the game where that has changed, and goes on following it. */
  #follow(around: Surroundings): void {
    const awaited = this.#link.arrived(this.#isKnown, performance.now(), around.craft?.refused)
    if (awaited) this.#lookBy(awaited, around)
    const focus = this.#game.focus.peek()
    if (focus && !isSame(focus, this.#looked)) this.lookFrom(focus, this.#outlookOn(focus, around))
    if (this.#looked) this.placeOf(this.#place, this.#looked)
  }

  #outlookOn(thing: Thing, around: Surroundings): Outlook {
    if (thing.kind !== 'body') {
      this.placeOf(this.#place, thing)
      return objectOutlook(thing.kind, this.#finder.velocity)
    }
    const body = around.bodies.findIndex(({ name }) => name === thing.name)
    return bodyOutlook(around, Math.max(body, 0), this.#stretch())
  }

  #stretch(): number {
    const { clientWidth: width, clientHeight: height } = this.#canvas
    return height > width ? PORTRAIT_STRETCH : 1
  }

  #followAddress(): boolean {
    const around = this.#surroundings.peek()
    if (!around) return false
    // Another star system is shown first.
    if (!around.flight && this.#game.guestSystem.peek() !== around.id) return false
    const address = this.#link.follow(around, this.#isKnown, performance.now())
    if (address) this.#lookBy(address, around)
    return address !== undefined
  }

  readonly #isKnown = ({ thing }: ViewAddress): boolean => this.placeOf(this.#place, thing)

  #lookBy({ thing, aim }: ViewAddress, around: Surroundings): void {
    const { along, least } = this.#outlookOn(thing, around)
    const isNear = aim.distance < GROUND_LEFT * length(this.#place.offset)
    this.lookFrom(thing, { aim, least, ...(along && isNear && { along }) })
  }

  get link(): string {
    const seen = this.#seen()
    return seen ? this.#link.to(seen) : location.href
  }

  #seen(): Seen | undefined {
    const { id: system, date: at } = this.#surroundings.peek() ?? {}
    const thing = this.#looked
    if (!thing || system === undefined) return undefined
    return { system, thing, aim: this.#camera.aim, ...(at !== undefined && { at }) }
  }

  #draw(nowMs: number): void {
    requestAnimationFrame((next) => this.#draw(next))
    const surroundings = this.#surroundings.peek()
    if (!surroundings) return
    const gameTimeMs = surroundings.advance(nowMs)
    this.#follow(surroundings)
    const camera = this.#camera
    camera.advance(nowMs)
    if (this.#quality.note(nowMs)) this.#resize()
    const { right, up, forward, place } = camera
    const moment = { nowMs, gameTimeMs, time: surroundings.time, surroundings }
    const frame = { ...moment, camera: place, right, up, forward }
    this.frame = frame
    for (const listener of this.#listeners) listener(frame)
    if (this.#bodies) this.#bodies.showsOrbits = this.#game.settings.orbits.peek()
    this.#view.draw(frame)
    this.#givePicture(gameTimeMs)
    this.#placeLabels(nowMs)
    const seen = this.#seen()
    if (seen?.at !== this.#date) this.#link.noteChange(nowMs)
    this.#date = seen?.at
    if (seen) this.#link.write(nowMs, seen)
    this.#canvas.classList.add('ready')
  }

  picture(): Promise<Picture | undefined> {
    if (!this.#graphics) return Promise.resolve(undefined)
    return new Promise((resolve) => this.#givePictures.add(resolve))
  }

  /** What is drawn is there until the browser has shown it. */
  #givePicture(gameTimeMs: number): void {
    const waiting = [...this.#givePictures]
    this.#givePictures.clear()
    if (waiting.length === 0) return
    this.#canvas.toBlob((png) => {
      for (const give of waiting) give(png ? { png, gameTimeMs } : undefined)
    })
  }

  #placeLabels(nowMs: number): void {
    if (nowMs - this.#coveredAtMs > COVERS_MS) {
      this.#coveredAtMs = nowMs
      this.#labels.cover(coveredAreas())
    }
    const { focus, target, settings } = this.#game
    this.#labels.isOn = settings.labels.peek()
    this.#labels.place(focus.peek(), target.peek())
  }
}

function haveSameBodies(a: Surroundings, b: Surroundings): boolean {
  const areAsMany = a.id === b.id && a.bodies.length === b.bodies.length
  return areAsMany && a.bodies.every(({ name }, i) => name === b.bodies[i].name)
}

function coveredAreas(): DOMRect[] {
  const areas = [...document.querySelectorAll(COVERS)].map((one) => one.getBoundingClientRect())
  return areas.filter(({ width }) => width > 0)
}
