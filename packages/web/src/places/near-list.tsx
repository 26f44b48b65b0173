/** Other ships in view with their distance, speed and what they do, in an order of one's choice. */
import type { PilotsResponse } from '@orrery/client'
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { say, sayCount } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import {
  type NearPilot,
  PILOT_ORDERS,
  type PilotOrder,
  nearPilots,
} from '../readings/near-pilots.ts'
import { distanceText, speedText } from '../quantities/quantities.ts'
import { type Thing, isSame } from '../readings/thing.ts'
import './near-list.css'

/** Rows at most: the search finds the others. */
const ROWS = 200

/** Between two looks at the distances [ms]. */
const PERIOD_MS = 1000

/** Between two looks at who is online [ms]. */
const PILOTS_MS = 10_000

const ORDER_WORDS: Readonly<Record<PilotOrder, string>> = {
  distance: say('Distance'),
  speed: say('Speed'),
  doing: say('What they do'),
}

export function NearList({ game }: { readonly game: Game }): JSX.Element {
  const online = usePilots(game)
  const order = useSignal<PilotOrder>('distance')
  const search = useSignal('')
  const ships = useSignal<readonly NearPilot[]>([])
  const inView = useSignal(0)
  useSignalEffect(() => {
    const { flight } = game.session.value ?? {}
    const [wanted, by] = [search.value, order.value]
    if (!flight) return undefined
    const renew = (): void => {
      ships.value = nearPilots(flight, wanted, ROWS, by)
      inView.value = Math.max(flight.world.completeness().inView - 1, 0)
    }
    renew()
    const timer = setInterval(renew, PERIOD_MS)
    return () => clearInterval(timer)
  })
  return (
    <>
      <input
        type="search"
        aria-label={say('Search ships')}
        placeholder={say('Search')}
        autocomplete="off"
        value={search.value}
        onInput={(event) => (search.value = event.currentTarget.value)}
        onKeyDown={({ key }) => {
          const id = key === 'Enter' && search.value !== '' && ships.value[0]?.ship.id
          if (id) game.focus.value = { kind: 'ship', id }
        }}
      />
      <p class="ships-online faint">{onlineText(online.value, game)}</p>
      <div class="ship-orders" role="group" aria-label={say('Sort ships by')}>
        {PILOT_ORDERS.map((by) => (
          <button
            key={by}
            type="button"
            aria-pressed={order.value === by}
            onClick={() => (order.value = by)}
          >
            {ORDER_WORDS[by]}
          </button>
        ))}
      </div>
      <ul>
        {ships.value.map((row) => (
          <Row
            key={row.ship.id}
            row={row}
            isOnline={online.value?.pilots.some(({ ship_id: id }) => id === row.ship.id) ?? false}
            focus={game.focus}
            target={game.target}
          />
        ))}
      </ul>
      {ships.value.length === 0 && (
        <p class="faint">{say('No other ship with this name is in view.')}</p>
      )}
      {ships.value.length === ROWS && (
        <p class="faint">{say('The nearest {n} of {all}.', { n: ROWS, all: inView.value })}</p>
      )}
    </>
  )
}

/** The pilots online, read again and again; undefined while they are not known. */
function usePilots(game: Game): Signal<PilotsResponse | undefined> {
  const pilots = useSignal<PilotsResponse | undefined>(undefined)
  useSignalEffect(() => {
    const { player } = game.live.value ?? {}
    // A practice asks the server for nothing.
    if (!player || game.practice.value) return undefined
    const renew = (): void => {
      player.pilots().then(
        (answer) => (pilots.value = answer),
        // Without an answer it is not known.
        () => (pilots.value = undefined),
      )
    }
    renew()
    const timer = setInterval(renew, PILOTS_MS)
    return () => clearInterval(timer)
  })
  return pilots
}

function onlineText(known: PilotsResponse | undefined, game: Game): string {
  if (!known) return say('Who is online is not known now.')
  const own = game.live.value?.account.shipId
  const here = known.pilots.find(({ ship_id: id }) => id === own)?.system_id
  const elsewhere = known.pilots.filter(({ system_id: system }) => system !== here).length
  const others = Math.max(known.players_online - 1, 0)
  const pilots = sayCount(others, '{n} other pilot is online', '{n} other pilots are online')
  return here === undefined || elsewhere === 0
    ? `${pilots}.`
    : say('{pilots}, {n} in other star systems.', { pilots, n: elsewhere })
}

interface RowProps {
  readonly row: NearPilot
  readonly isOnline: boolean
  readonly focus: Signal<Thing | undefined>
  readonly target: Signal<Thing | undefined>
}

function Row({
  row: { ship, distance, speed, doing },
  isOnline,
  focus,
  target,
}: RowProps): JSX.Element {
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
        <span>
          {distanceText(distance)}, {speedText(speed)}
        </span>
        <span class="ship-doing">{isOnline ? say('{doing}, online', { doing }) : doing}</span>
      </button>
      <button
        type="button"
        class="ship-target"
        aria-pressed={isTarget}
        aria-label={say('Target {name}', { name: ship.name })}
        title={say('Target')}
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
