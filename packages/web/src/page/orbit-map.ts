/** The map: the own orbit as a whole, with the bodies and spheres of influence around it. */
import { type Signal, effect, signal } from '@preact/signals'
import { type Forecast, createShipSample } from '@orrery/client/flight'
import type { Game } from '../game/game.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import { SphereLayer } from '../lines/sphere-layer.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { cross, length, normalize, osculating, vector } from '@orrery/page-kit'
import { overview } from '../view/aims.ts'
import type { Stage } from '../view/stage.ts'
import { ECLIPTIC, aimAlong } from '../view/view-axes.ts'
import type { Outlook } from '../view/view-camera.ts'

/** From how far an orbit is seen, in its largest distance from the body. */
const DISTANCE = 3.1

/** An orbit is looked at aslant, so that its tilt shows [rad]. */
const SLANT = 0.45

const LEAST_RADII = 1.000_01

/** A small orbit is seen with its body [radii]. */
const EXTENT_MIN = 2

const state = createShipSample()

interface Before {
  readonly thing: Thing
  readonly outlook: Outlook
}

export class OrbitMap {
  readonly isOn: Signal<boolean> = signal(false)
  readonly #game: Game
  readonly #stage: Stage
  #shown: Thing | undefined
  #before: Before | undefined

  constructor(game: Game, stage: Stage) {
    this.#game = game
    this.#stage = stage
    const spheres = new SphereLayer()
    stage.addLayer(spheres)
    effect(() => {
      spheres.isOn = this.isOn.value
    })
    // Whoever looks at something else has left the map.
    effect(() => {
      if (!isSame(game.focus.value, this.#shown)) this.isOn.value = false
    })
  }

  /** Shows the map, or what was looked at before. */
  toggle(): void {
    const around = this.#stage.surroundings.peek()
    if (!around) return
    if (this.isOn.peek()) {
      this.isOn.value = false
      this.#goBack()
      return
    }
    const thing = this.#game.focus.peek()
    const outlook = this.#stage.outlook
    this.#before = thing && { thing, outlook }
    const { body, ...goal } = mapOutlook(around, this.#game.forecasts.own.peek()?.forecast)
    this.#shown = { kind: 'body', name: around.bodies[body].name }
    this.#stage.lookFrom(this.#shown, goal)
    this.isOn.value = true
  }

  /** A ship has flown on since: it is looked at as at first. */
  #goBack(): void {
    if (!this.#before) return
    const { thing, outlook } = this.#before
    if (thing.kind === 'body') this.#stage.lookFrom(thing, outlook)
    else this.#game.focus.value = thing
  }
}

/** The reference body of the ship from where its orbit fits; without a ship the whole system. */
function mapOutlook(
  around: Surroundings,
  forecast: Forecast | undefined,
): Outlook & { readonly body: number } {
  const { flight, time, bodies } = around
  if (!flight?.world.shipAt(state, flight.ship.id, time)) return overview(around)
  const body = bodies.findIndex(({ name }) => name === state.body)
  const { radius, gm } = bodies[body]
  const orbit = { position: state.r, velocity: state.v, gm }
  const { apoapsis } = osculating(orbit, ECLIPTIC.pole)
  const own = apoapsis < Infinity ? apoapsis : 2 * length(state.r)
  const extent = Math.max(own, reachOf(forecast, body, around), EXTENT_MIN * radius)
  const normal = normalize(vector(), cross(vector(), state.r, state.v))
  const isNorth = normal[2] > 0
  const aim = aimAlong(isNorth ? normal : normal.map((value) => -value), DISTANCE * extent)
  return { body, aim: { ...aim, pitch: aim.pitch - SLANT }, least: radius * LEAST_RADII }
}

/** How far from a body a forecast leads [m]; to its moons, as far as they are. */
function reachOf(forecast: Forecast | undefined, body: number, around: Surroundings): number {
  let reach = 0
  for (const leg of forecast?.legs ?? []) {
    const at = around.bodies.findIndex(({ name }) => name === leg.body)
    if (at === body) {
      for (let i = 1; i < leg.records.length; i += 7) {
        reach = Math.max(reach, Math.hypot(...leg.records.subarray(i, i + 3)))
      }
    } else if (around.bodies[at]?.parent === body) {
      const offset = vector()
      const from = { body, offset }
      const moon = around.chain.difference(vector(), from, { body: at, offset })
      reach = Math.max(reach, length(moon))
    }
  }
  return reach
}
