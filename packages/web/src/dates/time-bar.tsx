/** The sky at other dates: a slider, steps, paces, a field and the way back to the present. */
import { useSignal } from '@preact/signals'
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { lazy } from '../elements/lazy.tsx'
import { dateText, durationText } from '../quantities/quantities.ts'
import type { Stage } from '../view/stage.ts'
import { Travel } from './travel.ts'
import { PACES, STEPS, type Span, fieldMs, fieldText, windowAround } from './units.ts'
import './time-bar.css'

const LookBack = lazy(
  say('The look back'),
  async () => (await import('../past/look-back.tsx')).LookBack,
)

interface TimeBarProps {
  readonly game: Game
  readonly stage: Stage
}

export function TimeBar({ game, stage }: TimeBarProps): JSX.Element {
  const travel = useMemo(() => new Travel(game, stage), [game, stage])
  useEffect(() => () => travel.close(), [travel])
  const step = useSignal(say('1 day'))
  const byStep = (steps: number): void => {
    void travel.step(steps * STEPS[step.peek()])
  }
  return (
    <section
      class={`time-bar ${travel.isNow.value ? '' : 'other'}`}
      aria-label={say('Other dates')}
    >
      <Slider travel={travel} step={STEPS[step.value]} byStep={byStep} />
      <div class="time-bar-line">
        <Buttons travel={travel} step={step.value} byStep={byStep} />
        <button
          type="button"
          class="primary"
          disabled={travel.isNow.value}
          onClick={() => travel.present()}
        >
          {say('Now')}
        </button>
        <button
          type="button"
          aria-label={say('Close, back to the present')}
          onClick={() => (game.dates.value = undefined)}
        >
          ×
        </button>
        <label>
          <span>{say('Step')}</span>
          <select
            aria-label={say('Step')}
            value={step}
            onChange={({ currentTarget }) => (step.value = currentTarget.value)}
          >
            {Object.keys(STEPS).map((words) => (
              <option key={words}>{words}</option>
            ))}
          </select>
        </label>
        <PaceChoice travel={travel} />
        <DateField travel={travel} />
        <Note travel={travel} game={game} />
      </div>
      <p class="time-bar-said" role="status">
        {travel.said}
      </p>
    </section>
  )
}

interface TravelProps {
  readonly travel: Travel
}

interface SliderProps extends TravelProps {
  /** [ms] */
  readonly step: number
  readonly byStep: (steps: number) => void
}

/** It spans a part of all dates, the narrower the smaller the step; at its ends it moves on. */
function Slider({ travel, step, byStep }: SliderProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const shown = useRef({ step: 0, from: 0, until: 0 })
  const isHeld = useSignal(false)
  const { span, ms, isNow } = travel
  const at = ms.value
  const all = span.value
  const { current: window } = shown
  if (all && (window.step !== step || at < window.from || at > window.until) && !isHeld.value) {
    shown.current = { step, ...windowAround(at, step, all) }
  }
  const move = (isRough: boolean): void => {
    isHeld.value = isRough
    const { from, until } = shown.current
    const share = Number(input.current?.value) / 1000
    void travel.go(from + share * (until - from), isRough)
  }
  const { from, until } = shown.current
  const place = until > from ? (1000 * (at - from)) / (until - from) : 0
  return (
    <input
      ref={input}
      type="range"
      aria-label={say('Date')}
      aria-valuetext={`${dateText(at || 0)}${isNow.value ? say(', now') : ''}`}
      title={say(
        'Arrow keys: a step left or right, the pace up or down. Space plays, Home is now.',
      )}
      min={0}
      max={1000}
      step="any"
      disabled={!all}
      value={isHeld.value ? undefined : place}
      onKeyDown={(event) => pressed(event, travel, byStep)}
      onInput={() => move(true)}
      onChange={() => move(false)}
    />
  )
}

interface ButtonsProps extends TravelProps {
  readonly step: string
  readonly byStep: (steps: number) => void
}

function Buttons({ travel, step, byStep }: ButtonsProps): JSX.Element {
  const { direction, span } = travel
  const isUnknown = !span.value
  const toggle = (way: number): void => void travel.play(direction.peek() === way ? 0 : way)
  const plays = (way: number, words: string, sign: string): JSX.Element => (
    <button
      type="button"
      aria-label={words}
      title={words}
      aria-pressed={direction.value === way}
      disabled={isUnknown}
      onClick={() => toggle(way)}
    >
      {direction.value === way ? '❚❚' : sign}
    </button>
  )
  return (
    <div class="time-bar-buttons" role="group" aria-label={say('Play')}>
      <button
        type="button"
        aria-label={say('Back {step}', { step })}
        disabled={isUnknown}
        onClick={() => byStep(-1)}
      >
        −
      </button>
      {plays(-1, say('Play backward'), '◀\uFE0E')}
      {plays(1, say('Play forward'), '▶\uFE0E')}
      <button
        type="button"
        aria-label={say('On {step}', { step })}
        disabled={isUnknown}
        onClick={() => byStep(1)}
      >
        +
      </button>
    </div>
  )
}

function PaceChoice({ travel: { pace } }: TravelProps): JSX.Element {
  return (
    <label>
      <span>{say('Pace')}</span>
      <select
        aria-label={say('Pace')}
        value={String(pace.value)}
        onChange={({ currentTarget }) => (pace.value = Number(currentTarget.value))}
      >
        {PACES.map((scale) => (
          <option key={scale} value={String(scale)}>
            {scale === 1 ? say('real time') : `${scale.toLocaleString(LANGUAGE)} ×`}
          </option>
        ))}
      </select>
    </label>
  )
}

function DateField({ travel }: TravelProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const { from = NaN, until = NaN } = travel.span.value ?? {}
  const text = fieldText(travel.ms.value || 0)
  // What is typed stays until it is done.
  useEffect(() => {
    const { current } = input
    if (current && current !== document.activeElement) current.value = text
  }, [text])
  const go = (): void => {
    const ms = fieldMs(input.current?.value ?? '')
    if (ms >= from && ms <= until) void travel.go(ms)
    else
      travel.say(
        say('Known are dates from {from} to {until}', {
          from: dateText(from),
          until: dateText(until),
        }),
      )
  }
  return (
    <label>
      <span>{say('UTC')}</span>
      <input
        ref={input}
        type="datetime-local"
        aria-label={say('Date and time, UTC')}
        step={1}
        disabled={!travel.span.value}
        onChange={go}
      />
    </label>
  )
}

/** How far the picture is from the present, and what of it is not known. */
function Note({ travel, game }: TravelProps & Pick<TimeBarProps, 'game'>): JSX.Element {
  const { ms, span, isNow, isPast, isWaiting } = travel
  const { value: session } = game.session
  const { clock } = session?.flight ?? {}
  const now = clock ? clock.utc(clock.now()) : Date.parse(game.status.value?.game_time ?? '')
  const seconds = (ms.value - now) / 1000
  const { from, until } = span.value ?? {}
  const [first, last] = [from, until].map((end) => (end === undefined ? '' : dateText(end)))
  if (isNow.value) {
    const known = first
      ? say('The present. Bodies are known at other dates too, from {first} to {last}.', {
          first: first.slice(0, 4),
          last: last.slice(0, 4),
        })
      : say('The present. Bodies are known at other dates too.')
    return <p class="faint">{known}</p>
  }
  const time = durationText(Math.abs(seconds))
  const away =
    seconds < 0 ? say('{time} before now.', { time }) : say('{time} after now.', { time })
  return (
    <p class="time-bar-note">
      <strong>{say('Not now:')}</strong> {away}{' '}
      {session && !isPast.value && shipText(ms.value, travel.forecastSpan.value)}{' '}
      {isWaiting.value && say('The bodies are being computed.')}{' '}
      {session && seconds < 0 && (
        <LookBack
          game={game}
          systemId={travel.systemId}
          shownMs={() => ms.peek()}
          show={(look) => void travel.look(look)}
        />
      )}
    </p>
  )
}

/** What is known of ships at a date [Unix ms]. */
function shipText(ms: number, forecast: Span | undefined): string {
  const others = say('Other ships and the instruments are shown at the present only.')
  if (!forecast) return `${say('Your ship has no forecast yet.')} ${others}`
  if (ms < forecast.from) return `${say('Your ship is not shown at earlier dates.')} ${others}`
  if (ms > forecast.until) {
    const date = dateText(forecast.until)
    return `${say('The forecast of your ship ends at {date}.', { date })} ${others}`
  }
  return `${say('Your ship is where its forecast has it.')} ${others}`
}

function pressed(
  event: TargetedKeyboardEvent<HTMLInputElement>,
  travel: Travel,
  byStep: (steps: number) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const paced = (by: number): void => {
    const { pace } = travel
    const at = PACES.indexOf(pace.peek()) + by
    pace.value = PACES[Math.min(Math.max(at, 0), PACES.length - 1)]
    travel.say(say('{pace} times real time', { pace: pace.peek().toLocaleString(LANGUAGE) }))
  }
  const acts: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => byStep(-1),
    ArrowRight: () => byStep(1),
    ArrowUp: () => paced(1),
    ArrowDown: () => paced(-1),
    PageUp: () => byStep(10),
    PageDown: () => byStep(-10),
    ' ': () => void travel.play(travel.direction.peek() === 0 ? 1 : 0),
    Home: () => travel.present(),
  }
  const act = acts[event.key]
  if (!act) return
  event.preventDefault()
  event.stopPropagation()
  act()
}
