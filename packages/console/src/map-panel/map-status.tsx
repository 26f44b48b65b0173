import type { JSX } from 'preact'
import type { StarMap } from '../map/star-map.ts'
import { AU, countText, lengthText } from '../controls/quantity-text.ts'

/** Longest bar [px]. */
const BAR_PIXELS = 140

/** What the map shows: game time, ships, and how long a length is. */
export function MapStatus({ map }: { readonly map: StarMap }): JSX.Element {
  void map.readings.value
  const { clock, world } = map.observer.flight
  const { known, inView } = world.completeness()
  const time = clock.now()
  const longest = BAR_PIXELS * map.view.scale
  const length = longest < AU ? roundLength(longest) : AU * roundLength(longest / AU)
  const date = Number.isFinite(time) ? new Date(clock.utc(time)).toISOString() : ''
  const total = Math.max(known, inView)
  return (
    <div class="map-status">
      <div>
        <b>{date && `${date.replace('T', ' ').slice(0, 19)} UTC`}</b>
        <span>
          {countText(known)}
          {known < total ? ` of ${countText(total)}` : ''} {known === 1 ? 'ship' : 'ships'}
        </span>
      </div>
      <figure class="map-bar">
        <figcaption>{lengthText(length)}</figcaption>
        <svg width={length / map.view.scale} height="6" aria-hidden="true">
          <path d={`M.5 0v5.5H${(length / map.view.scale - 0.5).toFixed(1)}V0`} />
        </svg>
      </figure>
    </div>
  )
}

/** The largest of 1, 2 and 5 of a power of ten that is not above a length. */
function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length))
  return power * (length >= 5 * power ? 5 : length >= 2 * power ? 2 : 1)
}
