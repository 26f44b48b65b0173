/** Over the picture while the game stands. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { dateText } from '../quantities/quantities.ts'
import './paused.css'

export function Paused({ game }: { readonly game: Game }): JSX.Element {
  const { value: pause } = game.pause
  return (
    <div class="paused" role="status">
      {pause && (
        <div class="paused-text">
          <p class="paused-title">{say('Paused')}</p>
          <p>
            {dateText(pause.ms)} · {say('tick {n}', { n: pause.tick })}
          </p>
          {game.session.value && <p>{say('Orders act when the game goes on.')}</p>}
        </div>
      )}
    </div>
  )
}
