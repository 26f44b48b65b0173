/** Jump gates: where they lead, and what a jump needs. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type NearbyObject, nearbyObjects } from '../readings/nearby.ts'
import { giveOrder, jump } from '../orders/orders.ts'
import { Away } from './docking.tsx'
import { useGateWays, wayOf } from './use-gate-ways.ts'
import { useTicking } from '../elements/use-ticking.ts'

export function Jumping({ game }: { readonly game: Game }): JSX.Element {
  useTicking()
  const { flight } = game.session.value ?? {}
  const gates = flight ? nearbyObjects(flight).filter(({ kind }) => kind === 'jumpgate') : []
  const ids = gates
    .map(({ id }) => id)
    .toSorted()
    .join(' ')
  const ways = useGateWays(game, ids)
  return (
    <>
      <p class="order-hint">
        {gates.length === 0
          ? say('This star system has no jump gate.')
          : say('A ship jumps within 200 m of a gate, at 20 m/s past it or less.')}
      </p>
      <ul class="order-list">
        {gates.map((gate) => (
          <GateRow key={gate.id} game={game} gate={gate} leadsTo={wayOf(ways, gate.id)} />
        ))}
      </ul>
    </>
  )
}

interface GateRowProps {
  readonly game: Game
  readonly gate: NearbyObject
  readonly leadsTo: string | undefined
}

function GateRow({ game, gate, leadsTo }: GateRowProps): JSX.Element {
  const { id, name } = gate
  const fly = (): void => {
    const order = {
      type: 'maneuver_start',
      maneuver: 'rendezvous',
      target_jumpgate_id: id,
    } as const
    void giveOrder(game, order, say('Fly to {name}', { name }))
  }
  return (
    <li class="order-row">
      <span>
        {name}
        <small>{leadsTo === undefined ? '' : say('leads to {leadsTo}', { leadsTo })}</small>
        <Away object={gate} />
      </span>
      <button type="button" aria-label={say('Fly there: {name}', { name })} onClick={fly}>
        {say('Fly there')}
      </button>
      <button
        type="button"
        class="go"
        aria-label={say('Jump through {name}', { name })}
        onClick={() =>
          void jump(
            game,
            id,
            leadsTo === undefined
              ? say('Jump through {name}', { name })
              : say('Jump to {leadsTo} through {name}', { leadsTo, name }),
          )
        }
      >
        {say('Jump')}
      </button>
    </li>
  )
}
