/** What changes the picture, and what opens a dialog. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Game } from '../game/game.ts'
import type { Stage } from '../page/stage.ts'
import './tools.css'

const NEARER = 0.6

export interface ToolsProps {
  readonly game: Game
  readonly stage: Stage
  /** by the words of the button that opens each */
  readonly dialogs: Readonly<Record<string, Signal<boolean>>>
}

export function Tools({ game: { settings }, stage, dialogs }: ToolsProps): JSX.Element {
  return (
    <div id="tools" role="group" aria-label="Picture">
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
