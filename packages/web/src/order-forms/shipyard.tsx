/** Other classes that a docked ship can become, at its station. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import { type Offers, type ShipOffer, playersShips } from '../accounts/players-ships.ts'
import { useTicking } from '../elements/use-ticking.ts'
import type { Game } from '../game/game.ts'
import { carryOut } from '../orders/orders.ts'
import { accelerationText, speedText } from '../quantities/quantities.ts'
import type { LiveSession } from '../session/session.ts'

interface ShipyardProps {
  readonly game: Game
  readonly session: LiveSession
}

export function Shipyard({ game, session }: ShipyardProps): JSX.Element {
  // The class that the ship is of comes with the world's frames.
  useTicking()
  const offers = useSignal<Offers | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    // Without the list there is no choice.
    game.client.shipClasses().then(
      (answer) => (offers.value = answer),
      () => undefined,
    )
  }, [])
  const { world, ship } = session.flight
  const own = world.ship(ship.id)?.shipClass
  const ships = offers.value ? playersShips(offers.value) : []
  if (!ships.some(({ name }) => name !== own)) return <></>
  const change = async ({ name, title }: ShipOffer): Promise<void> => {
    if (isBusy.value || name === own) return
    isBusy.value = true
    await carryOut(game, say('Change to {title}', { title }), () =>
      session.player.changeClass(name),
    )
    isBusy.value = false
  }
  return (
    <section aria-label={say('Shipyard')}>
      <p class="order-hint">
        {say('The ship can become another, with the fuel that its tank holds.')}
      </p>
      <ul class="order-list">
        {ships.map((offer) => (
          <OfferRow
            key={offer.name}
            offer={offer}
            isOwn={offer.name === own}
            onChange={() => void change(offer)}
          />
        ))}
      </ul>
    </section>
  )
}

interface OfferRowProps {
  readonly offer: ShipOffer
  readonly isOwn: boolean
  readonly onChange: () => void
}

/** The button of the present class stays one: the keyboard's focus is on it after a change. */
function OfferRow({ offer, isOwn, onChange }: OfferRowProps): JSX.Element {
  const { title, description, deltaV, acceleration, price } = offer
  return (
    <li class="order-row">
      <span>
        {title}
        <small>
          {say('Full tank: Δv {deltaV}, {acceleration}', {
            deltaV: speedText(deltaV),
            acceleration: accelerationText(acceleration),
          })}
        </small>
        {price > 0 && <small>{say('Price {n}', { n: price.toLocaleString(LANGUAGE) })}</small>}
        {description !== '' && <small>{description}</small>}
      </span>
      <button
        type="button"
        aria-label={isOwn ? say('Yours: {title}', { title }) : say('Change to {title}', { title })}
        aria-pressed={isOwn}
        onClick={onChange}
      >
        {isOwn ? say('Yours') : say('Change')}
      </button>
    </li>
  )
}
