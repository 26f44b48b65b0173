/** The ships of the account, one of which is flown, where there can be more than one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import { FormFault } from '../elements/form-fault.tsx'
import { useRequest } from '../elements/use-request.ts'
import type { Game } from '../game/game.ts'
import type { LiveSession } from '../session/session.ts'
import { ShipChoice } from './ship-choice.tsx'

type Ships = Awaited<ReturnType<LiveSession['player']['ships']['list']>>

interface OwnShipsProps {
  readonly game: Game
  readonly session: LiveSession
}

export function OwnShips({ game, session }: OwnShipsProps): JSX.Element {
  const { ships: routes } = session.player
  const own = useSignal<Ships | undefined>(undefined)
  useEffect(() => {
    routes.list().then(
      (answer) => (own.value = answer),
      () => undefined,
    )
  }, [session])
  const flying = useRequest(async ({ ship = '' }) => {
    own.value = await routes.fly(ship)
  })
  const making = useRequest(async ({ ship_class: shipClass }) => {
    own.value = await routes.create(shipClass)
  })
  if (!own.value) return <></>
  const { ships, ships_max: most } = own.value
  if (most < 2 && ships.length < 2) return <></>
  const coasting = ships.filter(({ flown }) => !flown)
  return (
    <section>
      <h3>{say('Ships')}</h3>
      <form onSubmit={flying.submit}>
        <fieldset class="ship-choice">
          <legend>{say('The one that you fly; the others fly on without you')}</legend>
          {ships.map(({ ship_id: id, flown, name = say('Between two star systems'), ...one }) => (
            <label key={id}>
              <input type="radio" name="ship" value={id} defaultChecked={flown} />
              <span>
                {name}
                {one.ship_class !== undefined && <small>{one.ship_class}</small>}
              </span>
            </label>
          ))}
        </fieldset>
        <button type="submit" disabled={flying.isBusy}>
          {say('Fly this ship')}
        </button>
        <FormFault request={flying} />
      </form>
      {coasting.length > 0 && (
        <GiveUp
          ships={coasting}
          giveUp={async (ship) => {
            own.value = await routes.giveUp(ship)
          }}
        />
      )}
      {ships.length < most && (
        <form onSubmit={making.submit}>
          <ShipChoice game={game} />
          <button type="submit" disabled={making.isBusy}>
            {say('Take another ship')}
          </button>
          <FormFault request={making} />
        </form>
      )}
    </section>
  )
}

interface GiveUpProps {
  readonly ships: Ships['ships']
  readonly giveUp: (ship: string) => Promise<void>
}

function GiveUp({ ships, giveUp }: GiveUpProps): JSX.Element {
  const leaving = useRequest(async ({ left = '' }, form) => {
    await giveUp(left)
    form.reset()
  })
  return (
    <form onSubmit={leaving.submit}>
      <label>
        {say('Ship to give up for good')}
        <select name="left" required>
          <option value="">{say('None')}</option>
          {ships.map(({ ship_id: id, name = id }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" disabled={leaving.isBusy}>
        {say('Give up this ship')}
      </button>
      <FormFault request={leaving} />
    </form>
  )
}
