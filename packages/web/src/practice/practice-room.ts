/** A practice on the page: how it begins, runs and ends. */
import type { Practice, PracticeStart } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { say } from '../languages/say.ts'
import { waitText } from '../forecast/next-marks.ts'
import type { Game } from '../game/game.ts'
import type { Session } from '../session/session.ts'
import { nextEvent } from './next-event.ts'
import { practiceSession } from './practice-session.ts'

/** Until the next event, as far as the machine carries. */
const HURRY = 1e7

/** What flying takes of the time between two pictures, within bounds [ms]. */
const SHARE = 0.5
const BUDGET_MS = [4, 100] as const

/** A page that was not seen stood meanwhile [s]. */
const STEP_MAX = 0.25

export class PracticeRoom {
  /** game seconds per second; 0 while it stands */
  readonly pace: Signal<number> = signal(1)
  /** what it flies to, or stands at, in a sentence */
  readonly said: Signal<string> = signal('')
  readonly #game: Game
  #practice: Practice | undefined
  #session: Session | undefined
  #start: PracticeStart | undefined
  /** name of the event that it flies to */
  #until: string | undefined
  #frame = 0

  constructor(game: Game) {
    this.#game = game
  }

  /** @param start  the ship's present state when left out */
  async begin(start?: PracticeStart): Promise<void> {
    const { live, notices, practice, target } = this.#game
    const from = live.peek()
    if (!from) return
    try {
      const opened = await from.flight.practice()
      if (live.peek() !== from) return opened.flight.close()
      if (start) opened.begin(start)
      this.#leave()
      this.#practice = opened
      this.#start = start
      this.#session = practiceSession(from, opened)
      opened.on('accepted', () => this.#noteOrder())
      // Other ships are not there.
      if (target.peek()?.kind === 'ship') target.value = undefined
      practice.value = this.#session
      this.#game.doing.refresh()
      notices.withdraw('practice')
      this.#say('')
    } catch (error) {
      this.#warn(error)
    }
    this.#run()
  }

  again(): Promise<void> {
    return this.begin(this.#start)
  }

  setPace(pace: number): void {
    const { clock } = this.#practice ?? {}
    if (!clock) return
    clock.stop = this.#until = undefined
    clock.pace = this.pace.value = pace
    this.#say('')
  }

  /** Flies to what happens next, and stands there. */
  async hurry(): Promise<void> {
    const practice = this.#practice
    if (!practice) return
    this.setPace(0)
    this.#say(say('Looks for the next event.'))
    try {
      const next = await nextEvent(practice.flight)
      if (practice !== this.#practice || practice.clock.pace !== 0) return
      if (!next) return this.#say(say('Nothing happens within 16 days.'))
      this.#until = next.name
      practice.clock.stop = next.mark.index
      practice.clock.pace = this.pace.value = HURRY
      this.#say(
        say('Flies to: {name}, {wait} ahead.', { name: next.name, wait: waitText(next.seconds) }),
      )
    } catch (error) {
      this.#warn(error)
    }
  }

  /** Shows the game again. */
  close(): void {
    this.#leave()
    this.#say('')
  }

  #leave(): void {
    cancelAnimationFrame(this.#frame)
    const { practice } = this.#game
    if (practice.peek() === this.#session) practice.value = undefined
    this.#session?.close()
    this.#session = this.#practice = this.#until = undefined
    this.pace.value = 1
  }

  /** What it flew to may be elsewhere now. */
  #noteOrder(): void {
    if (this.#until !== undefined) this.setPace(1)
  }

  #run(): void {
    cancelAnimationFrame(this.#frame)
    let lastMs = performance.now()
    const step = (nowMs: number): void => {
      const practice = this.#practice
      if (!practice) return
      const passedMs = Math.max(0, nowMs - lastMs)
      lastMs = nowMs
      const [least, most] = BUDGET_MS
      const budgetMs = Math.min(Math.max(SHARE * passedMs, least), most)
      practice.advance(Math.min(passedMs / 1000, STEP_MAX), budgetMs)
      this.#note(practice)
      this.#frame = requestAnimationFrame(step)
    }
    this.#frame = requestAnimationFrame(step)
  }

  #note({ clock }: Practice): void {
    if (this.pace.peek() === clock.pace) return
    this.pace.value = clock.pace
    if (this.#until !== undefined) this.#say(say('Stands at: {event}.', { event: this.#until }))
    this.#until = undefined
    this.#game.doing.refresh()
  }

  #say(text: string): void {
    this.said.value = text
  }

  #warn(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    this.#game.notices.show({ subject: 'practice', kind: 'warning', text, isLasting: true })
    this.#say('')
  }
}
