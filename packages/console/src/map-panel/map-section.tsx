import './map.css'
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type MapPlaces, StarMap } from '../map/star-map.ts'
import { openObserver } from '../map/observer.ts'
import type { Operator } from '../operator/operator.ts'
import type { Session } from '../operator/session.ts'
import { MapFacts } from './map-facts.tsx'
import { MapFind } from './map-find.tsx'
import { MapStatus } from './map-status.tsx'

export interface MapSectionProps {
  readonly operator: Operator
  readonly session: Session
}

const KEYS =
  'Drag or arrows move; wheel, pinch, + and − zoom; with Shift they turn the view. ' +
  'Enter chooses what is in the middle, F follows it, N goes near, 0 shows all.'

/** A live map of a star system, by a socket of its own while it is shown. */
export function MapSection({ operator, session }: MapSectionProps): JSX.Element {
  const stage = useRef<HTMLDivElement>(null)
  const ground = useRef<HTMLCanvasElement>(null)
  const dots = useRef<HTMLCanvasElement>(null)
  const map = useSignal<StarMap | undefined>(undefined)
  useEffect(() => {
    const places = { stage: stage.current, ground: ground.current, dots: dots.current }
    if (!isFilled(places)) return undefined
    const observer = openObserver({
      session,
      url: location.origin,
      onEnd: (why) => operator.sessions.signOut(why),
    })
    const opened = new StarMap(observer, places)
    map.value = opened
    return () => {
      map.value = undefined
      opened.close()
      observer.close()
    }
  }, [session])
  useSignalEffect(() => {
    // The server answers again: no need to wait for the socket's own next attempt.
    if (operator.live.away.value === undefined) map.value?.observer.retry()
  })
  const shown = map.value
  const name = shown?.observer.system.value?.name ?? 'a star system'
  const away = shown?.observer.away.value
  return (
    <section class="map" aria-label="Map">
      <div class="map-picture">
        <div
          ref={stage}
          class="map-stage"
          tabIndex={0}
          role="application"
          aria-label={`Map of ${name}`}
          aria-describedby="map-keys"
        >
          <canvas ref={ground} />
          <canvas ref={dots} />
        </div>
        <p class="map-away" role="status">
          {away}
        </p>
        {shown && <MapStatus map={shown} />}
        <div class="map-zoom" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom in" onClick={() => shown?.zoom(0.5)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => shown?.zoom(2)}>
            −
          </button>
        </div>
      </div>
      <div class="map-side">
        {shown && <SystemChoice map={shown} session={session} />}
        {shown && <MapFind map={shown} admin={session.admin} />}
        {shown && <MapFacts map={shown} operator={operator} admin={session.admin} />}
        <p class="hint" id="map-keys">
          {KEYS}
        </p>
      </div>
    </section>
  )
}

function isFilled(places: { readonly [Name in keyof MapPlaces]: unknown }): places is MapPlaces {
  return Object.values(places).every((place) => place !== null)
}

interface SystemChoiceProps {
  readonly map: StarMap
  readonly session: Session
}

function SystemChoice({ map, session }: SystemChoiceProps): JSX.Element {
  const systems = useSignal<readonly { readonly id: string; readonly name: string }[]>([])
  const { observer } = map
  useEffect(() => {
    session.admin.systems().then(
      (answer) => (systems.value = answer.systems),
      // The one that is shown stays.
      () => undefined,
    )
  }, [observer.away.value])
  const { value: current } = observer.system
  const choices = systems.value.length > 0 ? systems.value : current ? [current] : []
  return (
    <div class="map-system">
      <label>
        Star system
        <select
          value={current?.id ?? ''}
          onChange={(event) => observer.choose(event.currentTarget.value)}
        >
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => map.showSystem()}>
        Show all
      </button>
      <button
        type="button"
        disabled={!current}
        onClick={() => current && map.show({ kind: 'body', body: current.home })}
      >
        Home
      </button>
    </div>
  )
}
