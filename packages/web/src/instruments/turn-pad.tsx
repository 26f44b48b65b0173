/** A pad to turn the hull by hand: the finger's place pitches and yaws, two buttons roll. */
import type { JSX, TargetedPointerEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { keyOf } from '../input/key-names.ts'
import './turn-pad.css'

const NOTHING = [0, 0, 0] as const

const PAD_KEYS = [
  ['flight.pitches-down', 'KeyW'],
  ['flight.pitches-up', 'KeyS'],
  ['flight.yaws-left', 'KeyA'],
  ['flight.yaws-right', 'KeyD'],
] as const

export function TurnPad({ game }: { readonly game: Game }): JSX.Element {
  const { helm } = game
  const keys = PAD_KEYS.map(([action, key]) => keyOf(action, key))
  const knob = useRef<HTMLDivElement>(null)
  const stop = (): void => {
    helm.turn('pad', NOTHING)
    if (knob.current) knob.current.style.transform = ''
  }
  useEffect(() => stop, [])
  const follow = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const { currentTarget: pad } = event
    if (!pad.hasPointerCapture(event.pointerId)) return
    const { left, top, width, height } = pad.getBoundingClientRect()
    const right = within((2 * (event.clientX - left)) / width - 1)
    const down = within((2 * (event.clientY - top)) / height - 1)
    helm.turn('pad', [0, 0 - down, 0 - right])
    if (knob.current) {
      knob.current.style.transform = `translate(${(right * width) / 3}px, ${(down * height) / 3}px)`
    }
  }
  return (
    <div class="turn-pad" role="group" aria-label={say('Turn by hand')}>
      <div
        class="turn-pad-area"
        title={say('Drag to pitch and yaw ({keys})', { keys: keys.join(', ') })}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          follow(event)
        }}
        onPointerMove={follow}
        onPointerUp={stop}
        onPointerCancel={stop}
      >
        <div class="turn-pad-knob" ref={knob} />
      </div>
      <div class="turn-pad-roll">
        <RollButton
          game={game}
          share={-1}
          keyName={keyOf('flight.rolls-left', 'KeyQ')}
          words={say('Roll left')}
          sign="↺"
        />
        <RollButton
          game={game}
          share={1}
          keyName={keyOf('flight.rolls-right', 'KeyE')}
          words={say('Roll right')}
          sign="↻"
        />
      </div>
    </div>
  )
}

interface RollButtonProps {
  readonly game: Game
  readonly share: number
  readonly words: string
  readonly keyName: string
  readonly sign: string
}

function RollButton({ game, share, words, keyName, sign }: RollButtonProps): JSX.Element {
  const end = (): void => game.helm.turn('roll', NOTHING)
  return (
    <button
      type="button"
      aria-label={words}
      title={say('{words} while pressed ({keyName})', { words, keyName })}
      onPointerDown={({ currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId)
        game.helm.turn('roll', [share, 0, 0])
      }}
      onPointerUp={end}
      onPointerCancel={end}
    >
      {sign}
    </button>
  )
}

function within(share: number): number {
  return Math.max(-1, Math.min(1, share))
}
