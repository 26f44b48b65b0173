/** Records a flight, saves and sends it as a file, and shows one that was saved. */
import { type Signal, signal } from '@preact/signals'
import type { JSX, TargetedEvent } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { fileName } from '../page/picture-file.ts'
import { dateText } from '../quantities/quantities.ts'
import type { Stage } from '../view/stage.ts'
import { BYTES_MAX, type FlightRecord, readRecord, writeRecord } from './flight-record.ts'
import { Recorder } from './recorder.ts'
import { TrackLayer } from './track-layer.ts'

/** What stays when the dialog is closed. */
interface Shelf {
  readonly recorder: Recorder
  readonly shown: Signal<FlightRecord | undefined>
  readonly recorded: Signal<FlightRecord | undefined>
  readonly said: Signal<string>
  remove(): void
}

const shelves = new WeakMap<Game, Shelf>()

function shelfOf(game: Game, stage: Stage): Shelf {
  const known = shelves.get(game)
  if (known) return known
  const shelf: Shelf = {
    recorder: new Recorder(game, stage),
    shown: signal(undefined),
    recorded: signal(undefined),
    said: signal(''),
    remove: () => undefined,
  }
  shelves.set(game, shelf)
  return shelf
}

interface RecordProps {
  readonly game: Game
  readonly stage: Stage
}

export function RecordSection({ game, stage }: RecordProps): JSX.Element {
  const shelf = shelfOf(game, stage)
  return (
    <section class="record">
      <h3>{say('Flight')}</h3>
      <p class="faint">
        {say(
          "A file has the ship's track, its orders and events; " +
            'who opens it here sees them on the map.',
        )}
      </p>
      {game.session.value && <Recording shelf={shelf} />}
      <label>
        {say('Open a flight')}
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => void open(shelf, stage, event)}
        />
      </label>
      {shelf.shown.value && <Shown shelf={shelf} record={shelf.shown.value} />}
      <p role="status">{shelf.said}</p>
    </section>
  )
}

function Recording({ shelf }: { readonly shelf: Shelf }): JSX.Element {
  const { recorded, recorder, said } = shelf
  const start = (): void => {
    recorder.start()
    recorded.value = undefined
    said.value = say('Recording. Close this and fly; come back to save it.')
  }
  const stop = (): void => {
    recorded.value = recorder.stop()
    said.value = recorded.value
      ? ''
      : say('There is nothing to save yet: the flight was too short.')
  }
  return (
    <div class="record-buttons">
      {recorder.isOn.value ? (
        <button type="button" onClick={stop}>
          {say('End the record ({n} points)', { n: recorder.count.value })}
        </button>
      ) : (
        <button type="button" onClick={start}>
          {say('Record the flight')}
        </button>
      )}
      {recorded.value && <Saving record={recorded.value} said={said} />}
    </div>
  )
}

interface SavingProps {
  readonly record: FlightRecord
  readonly said: Signal<string>
}

function Saving({ record, said }: SavingProps): JSX.Element {
  const file = fileOf(record)
  const canSend = typeof navigator.canShare === 'function' && navigator.canShare({ files: [file] })
  const send = async (): Promise<void> => {
    try {
      await navigator.share({ files: [file], title: titleOf(record) })
    } catch {
      said.value = say('It was not sent.')
    }
  }
  return (
    <>
      <button type="button" onClick={() => save(file)}>
        {say('Save the flight')}
      </button>
      {canSend && (
        <button type="button" onClick={() => void send()}>
          {say('Send')}
        </button>
      )}
    </>
  )
}

interface ShownProps {
  readonly shelf: Shelf
  readonly record: FlightRecord
}

function Shown({ shelf, record }: ShownProps): JSX.Element {
  const close = (): void => {
    shelf.remove()
    shelf.shown.value = undefined
  }
  return (
    <>
      <p>
        {titleOf(record)}.{' '}
        {record.isPractice
          ? say('It is drawn in {system}, and was a practice.', { system: record.system.name })
          : say('It is drawn in {system}.', { system: record.system.name })}
      </p>
      <ol tabIndex={0} aria-label={say('Events of the flight')}>
        {record.events.map(({ ms, text }, i) => (
          <li key={i}>
            {dateText(ms)}: {text}
          </li>
        ))}
      </ol>
      <button type="button" onClick={close}>
        {say('Take it away')}
      </button>
    </>
  )
}

/** Such as `Shot, 2026-11-29 07:50:50 to 2026-11-29 08:05:26 UTC`. */
function titleOf({ ship, track }: FlightRecord): string {
  const [from, to] = [track[0][0], track[track.length - 1][0]].map((ms) => dateText(ms))
  return say('{ship}, {from} to {to}', { ship, from: from.replace(' UTC', ''), to })
}

function fileOf(record: FlightRecord): File {
  const name = fileName(record.ship, record.track[0][0]).replace('.png', '.flight.json')
  return new File([writeRecord(record)], name, { type: 'application/json' })
}

function save(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function open(
  shelf: Shelf,
  stage: Stage,
  { currentTarget }: TargetedEvent<HTMLInputElement>,
): Promise<void> {
  const [file] = currentTarget.files ?? []
  if (!file) return
  const record = await recordIn(file)
  if (typeof record === 'string') {
    shelf.said.value = `${record} ${say('Nothing has changed.')}`
    return
  }
  shelf.remove()
  const layer = new TrackLayer(record)
  const stops = [
    stage.addLayer(layer),
    stage.addLabels(layer),
    stage.onFrame((frame) => layer.follow(frame)),
  ]
  shelf.remove = () => {
    for (const stop of stops) stop()
    layer.dispose()
    shelf.remove = () => undefined
  }
  shelf.shown.value = record
  shelf.said.value = ''
}

async function recordIn(file: File): Promise<FlightRecord | string> {
  if (file.size > BYTES_MAX) return say('This file is too large for a flight.')
  try {
    return readRecord(await file.text())
  } catch {
    return say('This file cannot be read.')
  }
}
