/** Other ships in view, the nearest first. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import type { Game } from '../game/game.ts'
import { type NearbyShip, nearbyShips } from '../readings/nearby-ships.ts'
import { distanceText } from '../quantities/quantities.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import { Panel } from '../elements/panel.tsx'
import './ship-list.css'

/** Rows at most: the search finds the others. */
const ROWS = 200

/** Between two looks at the distances [ms]. */
const PERIOD_MS = 1000

export function ShipList({ game }: { readonly game: Game }): JSX.Element {
  const isOpen = useSignal(false)
  const search = useSignal('')
  const ships = useSignal<readonly NearbyShip[]>([])
  const inView = useSignal(0)
  useSignalEffect(() => {
    const { flight } = game.session.value ?? {}
    const wanted = search.value
    if (!flight || !isOpen.value) return undefined
    const renew = (): void => {
      ships.value = nearbyShips(flight, wanted, ROWS)
      inView.value = Math.max(flight.world.completeness().inView - 1, 0)
    }
    renew()
    const timer = setInterval(renew, PERIOD_MS)
    return () => clearInterval(timer)
  })
  return (
    <Panel title="Ships" name="ships" isOpen={isOpen}>
      <input
        type="search"
        aria-label="Search ships"
        placeholder="Search"
        autocomplete="off"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={({ key }) => {
          const id = key === 'Enter' && search.value !== '' && ships.value[0]?.ship.id
          if (id) game.focus.value = { kind: 'ship', id }
        }}
      />
      <ul>
        {ships.value.map((row) => (
          <Row key={row.ship.id} row={row} focus={game.focus} target={game.target} />
        ))}
      </ul>
      {ships.value.length === 0 && <p class="faint">No other ship with this name is in view.</p>}
      {ships.value.length === ROWS && (
        <p class="faint">
          The nearest {ROWS} of {inView}.
        </p>
      )}
    </Panel>
  )
}

interface RowProps {
  readonly row: NearbyShip
  readonly focus: Signal<Thing | undefined>
  readonly target: Signal<Thing | undefined>
}

function Row({ row: { ship, distance }, focus, target }: RowProps): JSX.Element {
  const thing = { kind: 'ship', id: ship.id } as const
  const isTarget = isSame(thing, target.value)
  return (
    <li>
      <button
        type="button"
        class="ship-name"
        aria-current={isSame(thing, focus.value)}
        onClick={() => (focus.value = thing)}
      >
        <bdi>{ship.name}</bdi>
        <span>{distanceText(distance)}</span>
      </button>
      <button
        type="button"
        class="ship-target"
        aria-pressed={isTarget}
        aria-label={`Target ${ship.name}`}
        title="Target"
        onClick={() => (target.value = isTarget ? undefined : thing)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="4" />
          <path d="M8 1v5M8 10v5M1 8h5M10 8h5" />
        </svg>
      </button>
    </li>
  )
}
