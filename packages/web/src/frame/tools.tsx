/** What changes the picture, and what opens a dialog. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { DIALOG_WORDS, type DialogName } from './dialogs.tsx'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import type { Stage } from '../view/stage.ts'
import './tools.css'

const NEARER = 0.6

const DIALOGS = ['Share', 'Settings', 'Help', 'Credits'] as const

export interface ToolsProps {
  readonly game: Game
  readonly stage: Stage
  readonly actions: Actions
  readonly dialogs: Readonly<Record<DialogName, Signal<boolean>>>
}

/** Views by the names of their actions; the last ones are a player's. */
const VIEWS = [
  ['view.map', say('Map')],
  ['view.system', say('Whole system')],
  ['view.own-ship', say('My ship')],
  ['view.next-ship', say('Next ship')],
] as const

export function Tools({ game, stage, actions, dialogs }: ToolsProps): JSX.Element {
  const { settings, session } = game
  return (
    <div id="tools" role="group" aria-label={say('Picture')}>
      {VIEWS.slice(0, session.value ? 4 : 2).map(([name, words]) => (
        <button
          key={name}
          type="button"
          class="tools-view"
          onClick={() => actions.named(name)?.act()}
        >
          {words}
        </button>
      ))}
      <Toggle id="orbits" words={say('Orbits')} isOn={settings.orbits} />
      <Toggle id="names" words={say('Names')} isOn={settings.labels} />
      <button type="button" aria-label={say('Nearer')} onClick={() => stage.zoom(NEARER)}>
        +
      </button>
      <button type="button" aria-label={say('Farther')} onClick={() => stage.zoom(1 / NEARER)}>
        −
      </button>
      {DIALOGS.map((name) => (
        <button
          key={name}
          type="button"
          aria-haspopup="dialog"
          onClick={() => (dialogs[name].value = true)}
        >
          {DIALOG_WORDS[name]}
        </button>
      ))}
    </div>
  )
}

interface ToggleProps {
  readonly id: string
  readonly words: string
  readonly isOn: Signal<boolean>
}

function Toggle({ id, words, isOn }: ToggleProps): JSX.Element {
  return (
    <button
      id={id}
      type="button"
      aria-pressed={isOn.value}
      onClick={() => (isOn.value = !isOn.value)}
    >
      {words}
    </button>
  )
}
