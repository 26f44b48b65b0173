/** What has happened to the ship and what it was ordered, newest first. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { LogEntry } from '../session/event-log.ts'
import type { Game } from '../game/game.ts'
import { Panel } from '../elements/panel.tsx'
import './event-log.css'

export function EventLog({ game }: { readonly game: Game }): JSX.Element {
  const onlyErrors = useSignal(false)
  const { value: all } = (game.session.value?.log ?? game.log).entries
  const shown = onlyErrors.value ? all.filter(({ kind }) => kind === 'error') : all
  const filter = (
    <button
      type="button"
      class="event-log-filter"
      aria-pressed={onlyErrors.value}
      onClick={() => (onlyErrors.value = !onlyErrors.value)}
    >
      {say('Problems')}
    </button>
  )
  return (
    <Panel title={say('Log')} name="event-log" aside={filter}>
      <div role="log" aria-label={say('Events of the ship, newest first')}>
        <ol>
          {shown.map((entry, i) => (
            <Entry
              key={shown.length - i}
              entry={entry}
              isFirstOfDay={i === 0 || dayOf(entry) !== dayOf(shown[i - 1])}
            />
          ))}
        </ol>
      </div>
      {shown.length === 0 && (
        <p>{onlyErrors.value ? say('No problems so far.') : say('Nothing has happened yet.')}</p>
      )}
    </Panel>
  )
}

function dayOf({ ms }: LogEntry): string {
  return new Date(ms).toISOString().slice(0, 10)
}

interface EntryProps {
  readonly entry: LogEntry
  /** in the order of the list */
  readonly isFirstOfDay: boolean
}

function Entry({ entry, isFirstOfDay }: EntryProps): JSX.Element {
  const { ms, kind, text } = entry
  const at = new Date(ms).toISOString()
  return (
    <>
      {isFirstOfDay && <li class="day">{dayOf(entry)} UTC</li>}
      <li class={kind}>
        <time dateTime={at}>{at.slice(11, 19)}</time>
        <span>{text}</span>
      </li>
    </>
  )
}
