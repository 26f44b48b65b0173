/** A look back: the past that the server flies again beside the game, as the page watches it. */
import { ClientError, type PastResponse, type PlayerClient } from '@orrery/client'
import { type Flight, type World, createShipSample } from '@orrery/client/flight'
import { api } from '@orrery/client/routes'
import { type Vector, vector } from '@orrery/page-kit'
import { type Signal, signal } from '@preact/signals'
import type { Surroundings } from '../scene/surroundings.ts'
import { PastShips } from './past-ships.ts'

/** Between two looks at a flight under way [ms]. */
const LOOK_MS = 300

/** So far ahead of what plays moments are asked for [s]. */
const AHEAD_S = 3

/** After a refusal nothing is asked for so long [ms]. */
const REST_MS = 2000

/** The server ends what is not asked for two minutes. */
const ALIVE_MS = 30_000

type Sky = Pick<Surroundings, 'bodies' | 'chain'> & { readonly date: number }

export class PastLook {
  readonly state: Signal<PastResponse['state']> = signal('flying')
  readonly digests: Signal<PastResponse['digests']> = signal({ compared: 0, equal: 0 })
  /** why it has failed, or what is not seen */
  readonly reason: Signal<string> = signal('')
  readonly #call: PlayerClient['call']
  readonly #ships = new PastShips()
  #id: string | undefined
  /** game time up to which it can be seen, as known at its begin [Unix ms] */
  #toMs = Infinity
  #isClosed = false
  #isAsking = false
  #restsUntilMs = 0

  constructor(call: PlayerClient['call']) {
    this.#call = call
  }

  /** Begins at a date [Unix ms], and resolves once that can be seen. */
  async open(systemId: string, ms: number): Promise<void> {
    try {
      const at = new Date(ms).toISOString()
      let last = await this.#call(api.openOwnPast, { system_id: systemId, at })
      this.#id = last.past_id
      while (last.state === 'flying' && !this.#isClosed) {
        await new Promise((resolve) => void setTimeout(resolve, LOOK_MS))
        last = await this.#call(api.readOwnPast, { past_id: last.past_id })
      }
      this.#toMs = Date.parse(last.to)
      this.digests.value = last.digests
      this.reason.value = last.reason ?? ''
      this.state.value = last.state
    } catch (error) {
      this.#fail(error)
    }
    if (this.#isClosed) this.close()
  }

  /** Asks for what is shown, and for what comes next. */
  want(ms: number, pace: number): void {
    const id = this.#id
    const nowMs = performance.now()
    if (id === undefined || this.state.peek() !== 'ready' || this.#isAsking) return
    if (nowMs < this.#restsUntilMs) return
    const aheadMs = Math.min(ms + 1000 * AHEAD_S * pace, Math.max(ms, this.#toMs))
    const isDue = !this.#ships.isKnown(ms) || !this.#ships.isKnown((ms + aheadMs) / 2)
    if (isDue) void this.#ask(id, this.#ships.isKnown(ms) ? aheadMs : ms, ms)
    else if (nowMs > this.#restsUntilMs + ALIVE_MS) void this.#ask(id, ms, ms)
  }

  /** A flight whose ships are those of the past. */
  flight(dated: Flight, sky: Sky): Flight {
    return { ...dated, world: pastWorld(dated.world, sky, this.#ships) }
  }

  close(): void {
    this.#isClosed = true
    // A flight that ends refuses what is asked of it meanwhile.
    if (this.#isAsking) return
    const id = this.#id
    this.#id = undefined
    if (id !== undefined) this.#call(api.endOwnPast, { past_id: id }).catch(() => undefined)
  }

  async #ask(id: string, ms: number, shownMs: number): Promise<void> {
    this.#isAsking = true
    try {
      const at = new Date(ms).toISOString()
      const sky = await this.#call(api.readOwnPastSky, { past_id: id, at })
      this.#ships.add(sky, shownMs)
      this.digests.value = sky.digests
      this.reason.value = ''
      this.#restsUntilMs = performance.now()
    } catch (error) {
      this.#restsUntilMs = performance.now() + REST_MS
      const isGone = error instanceof ClientError && error.code === 'E002'
      if (isGone) this.#fail(error)
      else this.reason.value = messageOf(error)
    } finally {
      this.#isAsking = false
      if (this.#isClosed) this.close()
    }
  }

  #fail(error: unknown): void {
    this.state.value = 'failed'
    this.reason.value = messageOf(error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function pastWorld(dated: World, sky: Sky, past: PastShips): World {
  const sample = createShipSample()
  const origin = vector()
  const at = vector()
  const bodyOf = (name: string | undefined): number =>
    sky.bodies.findIndex((body) => body.name === name)
  /** Writes where a ship is from a body; its velocity is from its own reference body. */
  const placeAt = (out: Vector, id: string, center: string | undefined): boolean => {
    const from = bodyOf(center)
    if (from < 0 || !past.stateAt(sample, id, sky.date)) return false
    const body = bodyOf(sample.body)
    if (body < 0) return false
    sky.chain.difference(out, { body: from, offset: origin }, { body, offset: vector(...sample.r) })
    return true
  }
  const systemPlace = (name: string): number =>
    dated.system?.bodies.findIndex((body) => body.name === name) ?? -1
  return {
    ...dated,
    get system() {
      return dated.system
    },
    get classes() {
      return dated.classes
    },
    ships: () => past.ships(sky.date),
    ship: (id) => past.ships(sky.date).find((ship) => ship.id === id),
    shipAt: (out, id) => {
      if (!past.stateAt(out, id, sky.date)) return false
      out.reference = systemPlace(out.body)
      return true
    },
    positionAt: (out, id, _, center) => placeAt(out.r, id, center),
    positionsAt: (out, _, center) => {
      const ships = past.ships(sky.date)
      for (const [i, { id }] of ships.entries()) {
        if (3 * i < out.length) out.set(placeAt(at, id, center) ? at : UNKNOWN, 3 * i)
      }
      return ships.length
    },
    statesAt: (out, indices, _, center) => {
      const ships = past.ships(sky.date)
      for (const [k, i] of indices.entries()) {
        out.set(placeAt(at, ships[i].id, center) ? at : UNKNOWN, 6 * k)
        out.set(sample.v, 6 * k + 3)
      }
    },
  }
}

const UNKNOWN = vector(NaN, NaN, NaN)
