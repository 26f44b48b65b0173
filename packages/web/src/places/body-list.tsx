/** All bodies and what circles them, as a tree: the way for the keyboard. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type Thing, isSame, keyOf } from '../readings/thing.ts'
import type { Stage } from '../view/stage.ts'
import { Panel } from '../elements/panel.tsx'
import { type Place, firstNamed, placesOf } from './places.ts'
import { SystemChoice } from './system-choice.tsx'
import './body-list.css'

export interface BodyListProps {
  readonly game: Game
  readonly stage: Stage
  readonly isOpen: Signal<boolean>
}

export function BodyList({ game, stage, isOpen }: BodyListProps): JSX.Element {
  const search = useSignal('')
  const around = stage.surroundings.value
  const changes = useSignal(0)
  useEffect(
    () => around?.flight?.world.on('objects', () => (changes.value += 1)),
    [around, changes],
  )
  const places = isOpen.value && around ? placesOf(around, search.value) : []
  void changes.value
  return (
    <Panel title={say('Places')} name="places" isOpen={isOpen}>
      {isOpen.value && !game.session.value && <SystemChoice game={game} />}
      <input
        type="search"
        aria-label={say('Search places')}
        placeholder={say('Search')}
        autocomplete="off"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={({ key }) => {
          const found = key === 'Enter' && firstNamed(places, search.value)
          if (found) game.focus.value = found.thing
        }}
      />
      <Branch places={places} focus={game.focus} />
      {places.length === 0 && <p class="faint">{say('No place has this name.')}</p>}
    </Panel>
  )
}

function Branch({
  places,
  focus,
}: {
  readonly places: readonly Place[]
  readonly focus: Signal<Thing | undefined>
}): JSX.Element {
  return (
    <ul>
      {places.map(({ thing, name, kind, inner }) => (
        <li key={keyOf(thing)}>
          <button
            type="button"
            class={kind}
            aria-current={isSame(thing, focus.value)}
            onClick={() => (focus.value = thing)}
            onKeyDown={moveFocus}
          >
            {name}
          </button>
          {inner.length > 0 && <Branch places={inner} focus={focus} />}
        </li>
      ))}
    </ul>
  )
}

/** Arrow keys go from one place to the next, as in a list. */
function moveFocus(event: TargetedKeyboardEvent<HTMLButtonElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const list = event.currentTarget.closest('.places')
  const buttons = [...(list?.querySelectorAll<HTMLButtonElement>('li > button') ?? [])]
  event.preventDefault()
  buttons[buttons.indexOf(event.currentTarget) + step]?.focus()
}
