/** The throttle: a lever that follows the hand, and shows what the engine does. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { keyOf } from '../input/key-names.ts'
import type { Stage } from '../view/stage.ts'
import './throttle.css'

interface ThrottleProps {
  readonly game: Game
  readonly stage: Stage
}

/** The lever has so many places. */
const STEPS = 100

/** One turn of the wheel moves it by so many. */
const WHEEL_STEPS = 4

export function Throttle({ game, stage }: ThrottleProps): JSX.Element {
  const { helm } = game
  const [raise, lower] = [keyOf('flight.faster', 'Shift'), keyOf('flight.slower', 'Control')]
  const lever = useRef<HTMLInputElement>(null)
  const label = useRef<HTMLOutputElement>(null)
  useEffect(
    () =>
      stage.onFrame(() => {
        if (lever.current && label.current) show(lever.current, label.current, helm.throttle())
      }),
    [stage, helm],
  )
  return (
    <div class="throttle" role="group" aria-label={say('Throttle')}>
      <button
        type="button"
        title={say('Full throttle ({key})', { key: keyOf('flight.full', 'KeyZ') })}
        onClick={() => helm.setThrottle(1, say('Full throttle'))}
      >
        {say('Full')}
      </button>
      <input
        ref={lever}
        type="range"
        class="throttle-lever"
        min="0"
        max={STEPS}
        step="1"
        defaultValue="0"
        aria-label={say('Throttle')}
        title={say('Throttle ({raise} raises, {lower} lowers it, the wheel does both)', {
          raise,
          lower,
        })}
        onInput={({ currentTarget }) => helm.setThrottle(Number(currentTarget.value) / STEPS)}
        onChange={({ currentTarget }) => {
          const level = Number(currentTarget.value) / STEPS
          helm.setThrottle(level, say('Throttle {level}', { level: levelText(level) }))
        }}
        onWheel={(event) => {
          const step = (-Math.sign(event.deltaY) * WHEEL_STEPS) / STEPS
          helm.setThrottle((helm.throttle() || 0) + step)
        }}
      />
      <button
        type="button"
        title={say('Cut the engine ({key})', { key: keyOf('flight.cut', 'KeyX') })}
        onClick={() => helm.setThrottle(0, say('Cut the engine'))}
      >
        {say('Cut')}
      </button>
      <output ref={label} class="throttle-level" />
    </div>
  )
}

function show(lever: HTMLInputElement, label: HTMLOutputElement, level: number): void {
  const value = Number.isNaN(level) ? '0' : String(Math.round(level * STEPS))
  if (lever.value !== value) lever.value = value
  const text = Number.isNaN(level) ? '' : levelText(level)
  if (label.textContent !== text) label.textContent = text
}

function levelText(level: number): string {
  return `${Math.round(100 * level)} %`
}
