/** The star system as the server has it now, from its public routes. */
import type { GameClient } from '@orrery/client'
import { signal } from '@preact/signals'
import type { GuestCraft } from '../guests/guest-craft.ts'
import type { SceneBody } from '../scene/scene-body.ts'
import type { Craft, Surroundings } from '../scene/surroundings.ts'
import { BodyChain } from '@orrery/page-kit'
import { type BodyMoment, Ephemeris } from '../space/ephemeris.ts'
import { PageClock } from '../space/page-clock.ts'
import { type SystemAnswer, homeOf, sceneBodies } from './scene-bodies.ts'

type Status = Awaited<ReturnType<GameClient['status']>>
type BodiesAnswer = Awaited<ReturnType<GameClient['bodies']>>

/** Between two rounds of requests [ms]. */
const PERIOD_MS = 20_000

/** Positions are known so far ahead of the next round [ms of real time]. */
const AHEAD_MS = 3 * PERIOD_MS

/** An answer that does not come: the next attempt after so long [ms]. */
const RETRY_MS = 10_000

export interface StarSystemOptions {
  readonly client: GameClient
  readonly answer: SystemAnswer
  readonly onStatus: (status: Status) => void
  /** called when the server answers no more, and when it does again */
  readonly onLoss: (isLost: boolean) => void
}

export class StarSystem implements Surroundings {
  readonly flight = undefined
  readonly time: number = NaN
  readonly id: string
  readonly name: string
  readonly home: number
  readonly bodies: readonly SceneBody[]
  readonly chain: BodyChain
  /** of all bodies from their parents [m/s] */
  readonly velocities: Float64Array
  readonly #options: StarSystemOptions
  readonly #clock = new PageClock()
  readonly #ephemeris = new Ephemeris()
  #following: GuestCraft | undefined
  /** the same, once it is known */
  readonly #craft = signal<GuestCraft | undefined>(undefined)
  #hasJumped = false
  #isClosed = false

  constructor(options: StarSystemOptions) {
    const { answer } = options
    this.#options = options
    this.id = answer.id
    this.name = answer.name
    this.home = homeOf(answer)
    this.bodies = sceneBodies(answer)
    this.chain = new BodyChain(this.bodies.map(({ parent }) => parent))
    this.velocities = new Float64Array(3 * this.bodies.length)
  }

  /** Asks for what the first picture needs; resolves when it can be drawn. */
  async open(): Promise<void> {
    const { client } = this.#options
    const [status, now] = await Promise.all([client.status(), client.bodies(this.id)])
    this.#noteStatus(status)
    this.#ephemeris.begin(momentOf(now))
    void this.#follow()
  }

  get craft(): Craft | undefined {
    return this.#craft.value
  }

  /** Shows what flies here, too, once it is known. */
  follow(make: (onKnown: () => void) => GuestCraft): void {
    if (this.#isClosed) return
    const craft = make(() => (this.#craft.value = craft))
    this.#following = craft
  }

  /** Game seconds per second; 0 while paused. */
  get scale(): number {
    return this.#clock.scale
  }

  /**
   * Moves all bodies to the present.
   *
   * @param atMs  on the page's clock
   * @returns the game time shown [Unix ms]
   */
  advance(atMs: number): number {
    const time = this.#clock.at(atMs) ?? NaN
    const shown = this.#ephemeris.at(time, this.chain.relative, this.velocities)
    this.#following?.advance(shown)
    return shown
  }

  close(): void {
    this.#isClosed = true
    this.#following?.close()
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      const isAnswered = await this.#extend().then(
        () => true,
        () => false,
      )
      if (!this.#isClosed) this.#options.onLoss(!isAnswered)
      await new Promise((resolve) => {
        setTimeout(resolve, isAnswered ? PERIOD_MS : RETRY_MS)
      })
      await visible()
      const status = await this.#options.client.status().catch(() => undefined)
      if (status && !this.#isClosed) this.#noteStatus(status)
    }
  }

  /** Asks for the bodies beyond what is known, where the time until the next round needs it. */
  async #extend(): Promise<void> {
    const time = this.#clock.at(performance.now()) ?? NaN
    const needed = time + PERIOD_MS * 1.5 * this.#clock.scale
    if (this.#ephemeris.untilMs > needed && !this.#hasJumped) return
    if (this.#hasJumped) this.#ephemeris.begin(momentOf(await this.#options.client.bodies(this.id)))
    this.#hasJumped = false
    const ahead = time + Math.max(AHEAD_MS * this.#clock.scale, AHEAD_MS)
    const at = new Date(ahead).toISOString()
    this.#ephemeris.extend(momentOf(await this.#options.client.bodies(this.id, at)))
  }

  #noteStatus(status: Status): void {
    this.#options.onStatus(status)
    const gameTimeMs = Date.parse(status.game_time)
    const scale = status.paused ? 0 : status.effective_time_scale
    this.#hasJumped ||= this.#clock.note({ gameTimeMs, scale }, performance.now())
  }
}

function momentOf({ game_time: time, bodies }: BodiesAnswer): BodyMoment {
  const states = new Float64Array(6 * bodies.length)
  for (const [i, { relative_position: r, relative_velocity: v }] of bodies.entries()) {
    states.set([r.x, r.y, r.z, v.x, v.y, v.z], 6 * i)
  }
  return { ms: Date.parse(time), states }
}

/** A page in the background asks for nothing. */
function visible(): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })
}
