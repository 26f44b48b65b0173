/** The ships that a new player may begin with, where there is a choice. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { accelerationText, speedText } from '../quantities/quantities.ts'
import { type Offers, type ShipOffer, playersShips } from './players-ships.ts'

export function ShipChoice({ game: { client } }: { readonly game: Game }): JSX.Element {
  const offers = useSignal<Offers | undefined>(undefined)
  useEffect(() => {
    // Without the list the server chooses.
    client.shipClasses().then(
      (answer) => (offers.value = answer),
      () => undefined,
    )
  }, [])
  const ships = offers.value ? playersShips(offers.value) : []
  if (ships.length < 2) return <></>
  return (
    <fieldset class="ship-choice">
      <legend>{say('Ship, with the Δv and acceleration of a full tank')}</legend>
      {ships.map((ship) => (
        <Offer key={ship.name} ship={ship} isUsual={ship.name === offers.value?.new_ships} />
      ))}
    </fieldset>
  )
}

interface OfferProps {
  readonly ship: ShipOffer
  readonly isUsual: boolean
}

function Offer({ ship, isUsual }: OfferProps): JSX.Element {
  const { name, title, description, deltaV, acceleration } = ship
  return (
    <label>
      <input type="radio" name="ship_class" value={name} defaultChecked={isUsual} />
      <span>
        <strong>{title}</strong> Δv {speedText(deltaV)}, {accelerationText(acceleration)}
        {description !== '' && <small>{description}</small>}
      </span>
    </label>
  )
}
