/** What changes the picture, and what opens a dialog. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import type { Stage } from '../view/stage.ts'
import './tools.css'

const NEARER = 0.6

export interface ToolsProps {
  readonly game: Game
  readonly stage: Stage
  readonly actions: Actions
  /** by the words of the button that opens each */
  readonly dialogs: Readonly<Record<string, Signal<boolean>>>
}

/** Views by the names of their actions; the last ones are a player's. */
const VIEWS = [
  ['view.map', 'Map'],
  ['view.system', 'Whole system'],
  ['view.own-ship', 'My ship'],
  ['view.next-ship', 'Next ship'],
] as const

export function Tools({ game, stage, actions, dialogs }: ToolsProps): JSX.Element {
  const { settings, session } = game
  return (
    <div id="tools" role="group" aria-label="Picture">
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
      <Toggle id="orbits" words="Orbits" isOn={settings.orbits} />
      <Toggle id="names" words="Names" isOn={settings.labels} />
      <button type="button" aria-label="Nearer" onClick={() => stage.zoom(NEARER)}>
        +
      </button>
      <button type="button" aria-label="Farther" onClick={() => stage.zoom(1 / NEARER)}>
        −
      </button>
      {Object.entries(dialogs).map(([words, isOpen]) => (
        <button
          key={words}
          type="button"
          aria-haspopup="dialog"
          onClick={() => (isOpen.value = true)}
        >
          {words}
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
