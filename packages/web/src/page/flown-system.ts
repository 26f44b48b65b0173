/** The star system that the player's ship is in: its bodies are where the flight has them. */
import { type Flight, createShipSample } from '@orrery/client/flight'
import type { SceneBody } from '../scene/scene-body.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { BodyChain } from '@orrery/page-kit'
import { type SystemAnswer, homeOf, sceneBodies } from './scene-bodies.ts'

export class FlownSystem implements Surroundings {
  readonly id: string
  readonly name: string
  readonly home: number
  readonly bodies: readonly SceneBody[]
  readonly chain: BodyChain
  readonly velocities: Float64Array
  readonly flight: Flight
  time: number = NaN
  readonly #state = createShipSample()

  constructor(answer: SystemAnswer, flight: Flight) {
    this.id = answer.id
    this.name = answer.name
    this.home = homeOf(answer)
    this.bodies = sceneBodies(answer)
    this.chain = new BodyChain(this.bodies.map(({ parent }) => parent))
    this.velocities = new Float64Array(3 * this.bodies.length)
    this.flight = flight
  }

  get craft(): Flight {
    return this.flight
  }

  get scale(): number {
    return this.flight.clock.scale
  }

  /** Where the flight does not know the bodies yet, all stay where they were, and the time too. */
  advance(): number {
    const { clock } = this.flight
    const time = clock.now()
    if (this.#place(time)) this.time = time
    return clock.utc(this.time)
  }

  close(): void {
    // The flight belongs to its session.
  }

  #place(time: number): boolean {
    const { world } = this.flight
    const { relative } = this.chain
    for (const [i, { name, parent }] of this.bodies.entries()) {
      const center = parent < 0 ? undefined : this.bodies[parent].name
      if (!world.bodyAt(this.#state, name, time, center)) return false
      relative.set(this.#state.r, 3 * i)
      this.velocities.set(this.#state.v, 3 * i)
    }
    return true
  }
}
