/** How the hull is turned: a ball with the horizon, and marks of directions on it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { withArticle } from '../readings/thing-names.ts'
import type { Stage } from '../view/stage.ts'
import { Explain } from '../elements/explain.tsx'
import { attachNavball } from './navball-picture.ts'
import './navball.css'

interface NavballProps {
  readonly game: Game
  readonly stage: Stage
}

/** The same in words changes so often [ms]. */
const WORDS_MS = 1000

export function Navball({ game, stage }: NavballProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useSignal(say('Attitude'))
  useEffect(() => attachNavball(canvas.current!, game, stage), [game, stage])
  useEffect(() => {
    const timer = setInterval(() => {
      words.value = attitudeWords(game)
    }, WORDS_MS)
    return () => clearInterval(timer)
  }, [game])
  const own = game.readings.value?.own
  return (
    <div class="navball">
      <canvas ref={canvas} role="img" aria-label={words.value} />
      <Explain of="Ball" />
      <dl aria-hidden="true">
        <div>
          <dt>{say('HDG')}</dt>
          <dd>{own ? whole(own.heading).padStart(3, '0') : '—'}°</dd>
        </div>
        <div>
          <dt>{say('PIT')}</dt>
          <dd>{own ? whole(own.pitch) : '—'}°</dd>
        </div>
        <div>
          <dt>{say('ROL')}</dt>
          <dd>{own ? whole(own.roll) : '—'}°</dd>
        </div>
      </dl>
    </div>
  )
}

/** Whole degrees of an angle [rad]. */
function whole(radians: number): string {
  const degrees = Math.round((radians * 180) / Math.PI) % 360
  return `${degrees < 0 ? '−' : ''}${Math.abs(degrees)}`
}

function attitudeWords(game: Game): string {
  const own = game.readings.peek()?.own
  if (!own) return say('Attitude: not known yet')
  const { pitch, heading, roll, body } = own
  const angles = say('pitch {pitch}°, heading {heading}°, roll {roll}°', {
    pitch: whole(pitch),
    heading: whole(heading),
    roll: whole(roll),
  })
  return say('Attitude to the horizon of {body}: {angles}', { body: withArticle(body), angles })
}
