/** What has happened to the ship and what it was ordered, newest first. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { LogEntry } from '../game/event-log.ts'
import type { Game } from '../game/game.ts'
import { Panel } from './panel.tsx'
import './event-log.css'

export function EventLog({ game }: { readonly game: Game }): JSX.Element {
  const onlyErrors = useSignal(false)
  const { value: all } = game.log.entries
  const shown = onlyErrors.value ? all.filter(({ kind }) => kind === 'error') : all
  const filter = (
    <button
      type="button"
      class="event-log-filter"
      aria-pressed={onlyErrors.value}
      onClick={() => (onlyErrors.value = !onlyErrors.value)}
    >
      Problems
    </button>
  )
  return (
    <Panel title="Log" name="event-log" aside={filter}>
      <div role="log" aria-label="Events of the ship, newest first">
        <ol>
          {shown.map((entry, i) => (
            <Entry key={shown.length - i} entry={entry} />
          ))}
        </ol>
      </div>
      {shown.length === 0 && (
        <p>{onlyErrors.value ? 'No problems so far.' : 'Nothing has happened yet.'}</p>
      )}
    </Panel>
  )
}

function Entry({ entry: { ms, kind, text } }: { readonly entry: LogEntry }): JSX.Element {
  const at = new Date(ms).toISOString()
  return (
    <li class={kind}>
      <time dateTime={at} title={`${at.slice(0, 10)} UTC`}>
        {at.slice(11, 19)}
      </time>
      <span>{text}</span>
    </li>
  )
}
