/** Ships, stations and gates as a guest sees them: asked for now and then, moved on in between. */
import type { SkyResponse, Vec3 } from '@orrery/client'
import type { Ship, ShipSample } from '@orrery/client/flight'
import { type Vector, vector } from '@orrery/page-kit'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Thing } from '../readings/thing.ts'
import type { Craft, CraftClass, CraftWorld, Surroundings } from '../scene/surroundings.ts'
import { coasted } from './coasted.ts'

/** Between two requests [ms]; sooner where something else is looked at. */
const PERIOD_MS = 5000
const LOOK_MS = 500

const GONE = say('The ship is gone, or its pilot lets guests follow it no more.')

/** Where something was, from the centre of a body. */
interface Known {
  /** index of the body; -1 for one that is not known here */
  readonly body: number
  readonly r: Vector
  readonly v: Vector
}

interface KnownShip extends Known {
  readonly ship: Ship
  readonly attitude: readonly number[]
  readonly thrustLevel: number
}

type Sky = Pick<Surroundings, 'bodies' | 'chain' | 'id'>
type SkyObject = SkyResponse['objects'][number]

export class GuestCraft implements Craft {
  /** A guest has none. */
  readonly ship = { id: '' }
  readonly world: CraftWorld
  refused = ''
  readonly #game: Game
  readonly #sky: Sky
  readonly #linked: () => Thing | undefined
  readonly #timer: ReturnType<typeof setInterval>
  #ships = new Map<string, KnownShip>()
  #listed: readonly Ship[] = []
  #places = new Map<string, Known>()
  #objects: ReturnType<CraftWorld['objects']> = []
  #classes: CraftWorld['classes'] = []
  /** of what is known, and of what is shown [Unix ms] */
  #knownMs = NaN
  #shownMs = NaN
  #askedNear = ''
  #askedAtMs = -Infinity

  /**
   * @param linked   what the address of the page leads to
   * @param onKnown  called when ships and objects have come for the first time
   */
  constructor(game: Game, sky: Sky, linked: () => Thing | undefined, onKnown: () => void) {
    this.#game = game
    this.#sky = sky
    this.#linked = linked
    this.world = this.#made()
    this.#timer = setInterval(() => void this.#look(onKnown), LOOK_MS)
    void this.#look(onKnown)
    game.client.shipClasses().then(
      ({ ship_classes: classes }) => (this.#classes = classes.map(craftClass)),
      () => undefined,
    )
  }

  advance(gameTimeMs: number): void {
    this.#shownMs = gameTimeMs
  }

  close(): void {
    clearInterval(this.#timer)
  }

  async #look(onKnown: () => void): Promise<void> {
    // Who signs in sees the flight soon.
    if (document.hidden || this.#game.session.peek()) return
    const near = this.#near()
    const isDue = performance.now() - this.#askedAtMs > PERIOD_MS
    if (!isDue && near === this.#askedNear) return
    this.#askedNear = near
    this.#askedAtMs = performance.now()
    const isFirst = Number.isNaN(this.#knownMs)
    try {
      this.#note(await this.#game.client.sky(this.#sky.id, near || undefined))
      if (isFirst) onKnown()
    } catch (error) {
      // The page says by itself that the server does not answer.
      if (Object(error).code === 'E006') this.#refuse(near)
    }
  }

  /** What the page looks at, or what its address leads to. */
  #near(): string {
    const focus = this.#game.focus.peek()
    const found = [focus, this.#linked()].find(
      (thing) => thing && thing.kind !== 'body' && thing.id !== this.refused,
    )
    if (found && found.kind !== 'body') return found.id
    return focus?.kind === 'body' ? focus.name : ''
  }

  #refuse(near: string): void {
    const { focus, notices, session } = this.#game
    this.refused = near
    this.#askedAtMs = -Infinity
    const looked = focus.peek()
    const body = this.#sky.bodies[this.#ships.get(near)?.body ?? -1]
    if (!body || session.peek() || looked?.kind !== 'ship' || looked.id !== near) return
    focus.value = { kind: 'body', name: body.name }
    notices.show({ subject: 'link', kind: 'warning', text: GONE, isLasting: true })
  }

  #note({ game_time: time, ships, objects }: SkyResponse): void {
    this.#knownMs = Date.parse(time)
    const before = this.#ships
    this.#ships = new Map(
      ships.map((seen, number) => {
        const { ship_id: id, name, ship_class: shipClass, attitude } = seen
        const { w, x, y, z } = attitude
        // Layers know a ship again by its object.
        const known = before.get(id)?.ship
        const ship = known?.name === name ? known : { number, id, name, shipClass }
        const place = this.#known(seen.reference_body, seen)
        return [
          id,
          { ...place, ship, attitude: [w, x, y, z], thrustLevel: seen.thrust_level },
        ] as const
      }),
    )
    this.#listed = Array.from(this.#ships.values(), ({ ship }) => ship)
    this.#noteObjects(objects)
  }

  #noteObjects(objects: readonly SkyObject[]): void {
    this.#places = new Map(
      objects.map((seen) => [seen.object_id, this.#known(seen.parent_body, seen)]),
    )
    const isSameList =
      objects.length === this.#objects.length &&
      objects.every(({ object_id: id, name }, i) => {
        return this.#objects[i].id === id && this.#objects[i].name === name
      })
    if (isSameList) return
    this.#objects = objects.map(({ kind, object_id: id, name, radius, parent_body: parent }) => {
      return { kind, id, name, radius, rail: { parent: this.#bodyOf(parent) } }
    })
  }

  #known(
    body: string,
    {
      relative_position: r,
      relative_velocity: v,
    }: { readonly relative_position: Vec3; readonly relative_velocity: Vec3 },
  ): Known {
    return { body: this.#bodyOf(body), r: vector(r.x, r.y, r.z), v: vector(v.x, v.y, v.z) }
  }

  #bodyOf(name: string | undefined): number {
    return this.#sky.bodies.findIndex((body) => body.name === name)
  }

  /** Writes where something is now from the centre of its body. */
  #stateOf(out: Pick<ShipSample, 'r' | 'v'>, known: Known | undefined): known is Known {
    const { gm } = this.#sky.bodies[known?.body ?? -1] ?? {}
    if (!known || gm === undefined) return false
    coasted(out, known, (this.#shownMs - this.#knownMs) / 1000, gm)
    return true
  }

  /** The same from the centre of another body. */
  #stateFrom(
    out: Pick<ShipSample, 'r' | 'v'>,
    known: Known | undefined,
    center: string | undefined,
  ): boolean {
    const from = this.#bodyOf(center)
    if (from < 0 || !this.#stateOf(out, known)) return false
    if (from === known.body) return true
    const place = { body: known.body, offset: vector(...out.r) }
    this.#sky.chain.difference(at, { body: from, offset: ORIGIN }, place)
    out.r.set(at)
    return true
  }

  #made(): CraftWorld {
    const [sky, ships] = [this.#sky, () => this.#listed]
    const classes = (): CraftWorld['classes'] => this.#classes
    const sample = { r: vector(), v: vector() }
    return {
      system: sky,
      get classes() {
        return classes()
      },
      ships,
      ship: (id) => this.#ships.get(id)?.ship,
      shipAt: (out, id) => {
        const known = this.#ships.get(id)
        if (!this.#stateOf(out, known)) return false
        out.body = sky.bodies[known.body].name
        out.reference = known.body
        out.attitude.set(known.attitude)
        out.thrustLevel = known.thrustLevel
        return true
      },
      positionsAt: (out, _, center) => {
        for (const [i, { id }] of this.#listed.entries()) {
          const isKnown = this.#stateFrom(sample, this.#ships.get(id), center)
          if (3 * i < out.length) out.set(isKnown ? sample.r : UNKNOWN, 3 * i)
        }
        return this.#listed.length
      },
      statesAt: (out, indices, _, center) => {
        for (const [k, i] of indices.entries()) {
          const isKnown = this.#stateFrom(sample, this.#ships.get(this.#listed[i].id), center)
          out.set(isKnown ? sample.r : UNKNOWN, 6 * k)
          out.set(sample.v, 6 * k + 3)
        }
      },
      objects: () => this.#objects,
      objectAt: (out, id, _, center) => this.#stateFrom(out, this.#places.get(id), center),
    }
  }
}

type ClassEntry = Awaited<ReturnType<Game['client']['shipClasses']>>['ship_classes'][number]

function craftClass({ name, radius, inertia: { x, y, z }, ...one }: ClassEntry): CraftClass {
  const { dry_mass: dryMass, fuel_capacity: fuelCapacity, thrust_max: thrustMax } = one
  return { name, radius, dryMass, fuelCapacity, thrustMax, inertia: [x, y, z] }
}

const at = vector()
const ORIGIN = vector()
const UNKNOWN = vector(NaN, NaN, NaN)
