/** Leads the picture to other dates, and back to the present. */
import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals'
import { type Almanac, openAlmanac } from '@orrery/client/almanac'
import type { Forecast } from '@orrery/client/flight'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { dateText } from '../quantities/quantities.ts'
import type { PastLook } from '../past/past-look.ts'
import type { Surroundings } from '../scene/surroundings.ts'
import type { Stage } from '../view/stage.ts'
import { DatedSystem } from './dated-system.ts'
import type { Span } from './units.ts'

/** Between two changes of what the bar shows [ms]. */
const SHOWN_MS = 100

export class Travel {
  /** of the picture [Unix ms]; NaN before the first one */
  readonly ms: Signal<number> = signal(NaN)
  /** that can be gone to; undefined before it is known */
  readonly span: Signal<Span | undefined> = signal(undefined)
  readonly isNow: Signal<boolean> = signal(true)
  readonly isWaiting: Signal<boolean> = signal(false)
  /** its ships are those of the past, flown again */
  readonly isPast: Signal<boolean> = signal(false)
  /** 1 and -1 while it plays, 0 while it stands */
  readonly direction: Signal<number> = signal(0)
  /** game seconds per second */
  readonly pace: Signal<number> = signal(1e4)
  /** what a reader says */
  readonly said: Signal<string> = signal('')
  /** of the own ship [Unix ms]; undefined without one */
  readonly forecastSpan: ReadonlySignal<Span | undefined>
  readonly #game: Game
  readonly #stage: Stage
  readonly #stops: (() => void)[]
  readonly #almanacs = new Map<string, Promise<Almanac>>()
  #live: Surroundings | undefined
  #dated: DatedSystem | undefined
  #past: PastLook | undefined
  /** counts what is wanted: what comes for an earlier wish is dropped */
  #wish = 0
  #shownAtMs = 0
  /** that is gone to from the present [Unix ms] */
  #dueMs: number | undefined

  constructor(game: Game, stage: Stage) {
    this.#game = game
    this.#stage = stage
    const { forecasts, session } = game
    this.forecastSpan = computed(() => {
      const { forecast } = forecasts.own.value ?? {}
      const { clock } = session.value?.flight ?? {}
      return forecast && clock && { from: clock.utc(forecast.from), until: clock.utc(forecast.to) }
    })
    this.#stops = [
      stage.onFrame(({ nowMs, gameTimeMs }) => this.#note(nowMs, gameTimeMs)),
      effect(() => {
        const { value: shown } = stage.surroundings
        if (shown && shown !== this.#dated) this.#noteLive(shown)
      }),
      effect(() => {
        const { value: asked } = game.dates
        if (asked?.ms !== undefined) void this.#goFrom(asked.ms)
      }),
      effect(() => {
        const pace = this.direction.value * this.pace.value
        if (this.#dated) this.#dated.pace = pace
      }),
    ]
  }

  /**
   * Shows another date as soon as it is known.
   *
   * @param isRough  it changes at once again
   */
  async go(ms: number, isRough: boolean = false): Promise<void> {
    const live = this.#live
    const { from, until } = this.span.peek() ?? {}
    if (!live || from === undefined || until === undefined) return
    const wish = ++this.#wish
    const due = Math.min(Math.max(ms, from), until)
    this.#dueMs = due
    try {
      const almanac = await this.#almanacOf(live)
      if (!this.#dated) await almanac.reach(due)
      if (wish !== this.#wish) return
      if (this.#dated) this.#dated.go(due)
      else this.#show(live, almanac, due)
      if (!this.#dated) return
      this.#dated.isRough = isRough
      if (!isRough) this.say(dateText(due))
    } catch (error) {
      if (wish === this.#wish) this.#fail(error)
    }
  }

  /** Goes on from the date that is wanted, or back [ms]. */
  step(by: number): Promise<void> {
    return this.go((this.#dated?.wantedMs ?? this.#dueMs ?? this.ms.peek()) + by)
  }

  /** Plays forward (1) or back (-1), or stands. */
  async play(direction: number): Promise<void> {
    this.direction.value = direction
    if (direction === 0) return this.say(say('{date}, stopped', { date: dateText(this.ms.peek()) }))
    const pace = this.pace.peek().toLocaleString(LANGUAGE)
    this.say(
      direction < 0
        ? say('Plays backward, {pace} times real time', { pace })
        : say('Plays forward, {pace} times real time', { pace }),
    )
    if (!this.#dated) await this.go(this.ms.peek())
  }

  /** Of the star system that is shown. */
  get systemId(): string {
    return this.#live?.id ?? ''
  }

  /** Shows the ships of a past that is flown again, or none. */
  async look(past: PastLook | undefined): Promise<void> {
    this.#past = past
    this.isPast.value = past !== undefined
    const live = this.#live
    if (!live || !this.#dated) return
    const almanac = await this.#almanacOf(live)
    if (this.#dated && live === this.#live) this.#show(live, almanac, this.#dated.wantedMs)
  }

  /** Shows the present again. */
  present(): void {
    this.#wish++
    this.direction.value = 0
    const dated = this.#dated
    this.#dated = undefined
    this.#dueMs = undefined
    this.isNow.value = true
    this.isWaiting.value = false
    if (!dated) return
    this.#stage.show(dated.live)
    this.say(say('The present'))
  }

  say(text: string): void {
    this.said.value = text
  }

  close(): void {
    this.present()
    for (const stop of this.#stops) stop()
    for (const almanac of this.#almanacs.values()) {
      void almanac.then(
        (opened) => opened.close(),
        () => undefined,
      )
    }
  }

  readonly #forecast = (): Forecast | undefined => this.#game.forecasts.own.peek()?.forecast

  #show(live: Surroundings, almanac: Almanac, ms: number): void {
    const dated = new DatedSystem(live, almanac, ms, this.#forecast, this.#past)
    dated.isCalm = this.#game.settings.isCalm.peek()
    dated.pace = this.direction.peek() * this.pace.peek()
    this.#dated = dated
    this.isNow.value = false
    this.#stage.show(dated)
  }

  /** Another star system, or one that is flown in: its date is the same. */
  #noteLive(live: Surroundings): void {
    const before = this.#dated
    this.#live = live
    this.#dated = undefined
    this.isNow.value = true
    if (before) void this.#goFrom(before.wantedMs)
    else void this.#readSpan(live)
  }

  /** Goes to a date that may be outside of what is known. */
  async #goFrom(ms: number): Promise<void> {
    const live = this.#live
    const span = live && (await this.#readSpan(live))
    if (!live || !span || live !== this.#live) return
    const [first, last] = [span.from, span.until].map((end) => dateText(end).slice(0, 10))
    if (ms >= span.from && ms <= span.until) return this.go(ms)
    const day = dateText(ms).slice(0, 10)
    const text = say(
      'The date {day} is outside of what is known of {system}: {first} to {last}. ' +
        'This is the present.',
      { day, system: live.name, first, last },
    )
    this.present()
    this.#game.notices.show({ subject: 'dates', kind: 'warning', text, isLasting: true })
  }

  async #readSpan(live: Surroundings): Promise<Span | undefined> {
    try {
      const { fromMs: from, untilMs: until } = await this.#almanacOf(live)
      if (live === this.#live) this.span.value = { from, until }
      return { from, until }
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  #almanacOf({ id }: Surroundings): Promise<Almanac> {
    const known = this.#almanacs.get(id)
    if (known) return known
    const { client } = this.#game
    const opened = client.system(id).then((system) =>
      openAlmanac({
        system,
        checkpoints: (asked) => client.checkpoints(id, asked),
      }),
    )
    this.#almanacs.set(id, opened)
    opened.catch(() => this.#almanacs.delete(id))
    return opened
  }

  #note(nowMs: number, gameTimeMs: number): void {
    if (nowMs - this.#shownAtMs < SHOWN_MS) return
    this.#shownAtMs = nowMs
    this.ms.value = gameTimeMs
    this.isWaiting.value = this.#dated?.isWaiting ?? false
    if (this.direction.peek() === 0 || !this.#dated?.isAtEnd) return
    this.direction.value = 0
    this.say(say('{date}: no date beyond is known', { date: dateText(gameTimeMs) }))
  }

  #fail(error: unknown): void {
    this.present()
    const why = error instanceof Error ? error.message : String(error)
    const text = say('Other dates cannot be shown: {why}', { why })
    this.#game.notices.show({ subject: 'dates', kind: 'warning', text, isLasting: true })
  }
}
