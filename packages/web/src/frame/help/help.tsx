/** Help: the first voyage, and what hands do. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../../languages/say.ts'
import type { Game } from '../../game/game.ts'
import type { Actions } from '../../input/actions.ts'
import { Keys } from './keys.tsx'

const POINTER: readonly (readonly [how: string, words: string])[] = [
  [say('Drag'), say('turns the view')],
  [say('Wheel, pinch'), say('goes nearer or farther')],
  [say('Click, tap'), say('looks at something')],
]

interface HelpProps {
  readonly game: Game
  readonly actions: Actions
  readonly isOpen: Signal<boolean>
}

export function Help({ game, actions, isOpen }: HelpProps): JSX.Element {
  const sail = (): void => {
    isOpen.value = false
    game.voyage.value = true
  }
  return (
    <>
      {game.session.value && (
        <>
          <h3>{say('First voyage')}</h3>
          <p class="faint">{say('It teaches to fly, step by step, as far as the Moon.')}</p>
          <button type="button" onClick={sail}>
            {say('Begin or go on')}
          </button>
        </>
      )}
      <h3>{say('Mouse and touch')}</h3>
      <dl>
        {POINTER.map(([how, words]) => (
          <div key={how}>
            <dt>{how}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <Keys actions={actions} takesSigns={game.settings.signs} />
    </>
  )
}
