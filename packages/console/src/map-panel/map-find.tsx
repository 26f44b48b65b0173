import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { failureText } from '../operator/failure-text.ts'
import { type FoundThing, namedThings } from '../map/named-things.ts'
import type { StarMap } from '../map/star-map.ts'

export interface MapFindProps {
  readonly map: StarMap
  readonly admin: AdminClient
}

/** Things of the star system by a part of their names, ships by their pilots too. */
export function MapFind({ map, admin }: MapFindProps): JSX.Element {
  const text = useSignal('')
  const byPilot = useSignal<readonly FoundThing[]>([])
  const fault = useSignal('')
  void map.readings.value
  const found = text.value.trim() === '' ? [] : namedThings(map.observer, text.value)
  const things = [...found, ...byPilot.value]
  const choose = ({ thing }: FoundThing): void => {
    text.value = ''
    byPilot.value = []
    map.show(thing)
  }
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (text.value.trim() === '') return
    const [first] = things
    if (first) return choose(first)
    try {
      const { players } = await admin.players.list({ search: text.value.trim(), limit: 10 })
      const { world } = map.observer.flight
      byPilot.value = players
        .filter(({ ship_id: id }) => world.ship(id) !== undefined)
        .map(({ username, ship_id: id }) => ({
          thing: { kind: 'ship', id },
          name: world.ship(id)?.name ?? '',
          what: `flown by ${username}`,
        }))
      fault.value = byPilot.value.length > 0 ? '' : 'Nothing of this star system is found.'
    } catch (error) {
      fault.value = failureText(error)
    }
  }
  return (
    <form class="map-find" role="search" onSubmit={(event) => void submit(event)}>
      <input
        type="search"
        aria-label="Find on the map"
        placeholder="Find a body, ship, station, pilot"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
          byPilot.value = []
          fault.value = ''
        }}
      />
      <p class="fault" role="alert">
        {fault.value}
      </p>
      {things.length > 0 && (
        <ul aria-label="Found">
          {things.map((one) => (
            <li key={JSON.stringify(one.thing)}>
              <button type="button" onClick={() => choose(one)}>
                <span>{one.name}</span> <small>{one.what}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
