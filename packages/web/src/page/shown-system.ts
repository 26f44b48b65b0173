/** Which star system is shown: the one that the ship is in, or a guest's choice. */
import { ClientError } from '@orrery/client'
import { effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import { FIRST_SYSTEM, type Game } from '../game/game.ts'
import type { Thing } from '../readings/thing.ts'
import type { Session } from '../session/session.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import { parsedAddress } from '../view/view-address.ts'
import { FlownSystem } from './flown-system.ts'
import type { SystemAnswer } from './scene-bodies.ts'
import { StarSystem } from './star-system.ts'

/** Between two attempts to reach the server [ms]. */
const RETRY_MS = 10_000

export class ShownSystem {
  readonly #game: Game
  readonly #show: (around: Surroundings) => void
  readonly #answers = new Map<string, Promise<SystemAnswer>>()
  #shown: Surroundings | undefined
  /** counts changes of what is to be shown: what comes for an earlier one is dropped */
  #wish = 0

  constructor(game: Game, show: (around: Surroundings) => void) {
    this.#game = game
    this.#show = show
  }

  /** Shows what is to be shown, now and after each change. */
  open(): void {
    const { session, guestSystem } = this.#game
    effect(() => {
      const { value: flown } = session
      if (!flown) return void this.#showToGuest(guestSystem.value)
      const enter = (): void => void this.#showFlown(flown)
      enter()
      return flown.flight.world.on('system', enter)
    })
  }

  async #showToGuest(id: string): Promise<void> {
    const wish = ++this.#wish
    const { client, status } = this.#game
    const answer = await this.#asked(id, wish)
    if (!answer) return
    const shown = new StarSystem({
      client,
      answer,
      onStatus: (news) => (status.value = news),
      onLoss: (isLost) => this.#noteLoss(isLost),
    })
    while (wish === this.#wish) {
      try {
        await shown.open()
        break
      } catch (error) {
        await this.#fail(error)
      }
    }
    if (wish !== this.#wish) return shown.close()
    this.#take(shown)
    // The planet is there first.
    const { GuestCraft } = await import('../guests/guest-craft.ts')
    const linked = (): Thing | undefined => parsedAddress(location.hash)?.thing
    shown.follow((onKnown) => new GuestCraft(this.#game, shown, linked, onKnown))
  }

  /** What is shown stays until the bodies of the other system are known. */
  async #showFlown({ flight }: Session): Promise<void> {
    const { system } = flight.world
    if (!system || (this.#shown?.flight === flight && this.#shown.id === system.id)) return
    const wish = ++this.#wish
    const answer = await this.#asked(system.id, wish)
    if (!answer) return
    const shown = new FlownSystem(answer, flight)
    while (wish === this.#wish && Number.isNaN(shown.advance())) {
      await new Promise(requestAnimationFrame)
    }
    if (wish === this.#wish) this.#take(shown)
  }

  #take(shown: Surroundings): void {
    this.#noteLoss(false)
    this.#shown?.close()
    this.#shown = shown
    this.#show(shown)
  }

  /** What of a star system does not change; undefined when another is to be shown by then. */
  async #asked(id: string, wish: number): Promise<SystemAnswer | undefined> {
    while (wish === this.#wish) {
      const answer = this.#answers.get(id) ?? this.#game.client.system(id)
      this.#answers.set(id, answer)
      try {
        const known = await answer
        return wish === this.#wish ? known : undefined
      } catch (error) {
        this.#answers.delete(id)
        // Such as one in an address that somebody typed.
        if (error instanceof ClientError && error.status === 404) {
          this.#game.guestSystem.value = FIRST_SYSTEM
          return undefined
        }
        await this.#fail(error)
      }
    }
    return undefined
  }

  #noteLoss(isLost: boolean): void {
    const { notices } = this.#game
    if (!isLost) return notices.withdraw('server')
    const text = say('The server does not answer. The page tries again every ten seconds.')
    notices.show({ subject: 'server', kind: 'warning', text, isLasting: true })
  }

  async #fail(error: unknown): Promise<void> {
    console.info(say('The server does not answer'), error)
    this.#noteLoss(true)
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
  }
}
