/** All orders to the own ship: steering always, and one of the others. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { Burning } from './burn.tsx'
import { Docking } from './docking.tsx'
import { Jumping } from './jump.tsx'
import { lazy } from '../elements/lazy.tsx'
import { Maneuvering } from './maneuver.tsx'
import { ORDER_KINDS, ORDER_KIND_WORDS } from '../orders/order-kinds.ts'
import { Panel } from '../elements/panel.tsx'
import { SteeringPanel } from '../instruments/steering.tsx'
import './orders.css'

const Ruling = lazy(say('The list of rules'), async () => (await import('./rules.tsx')).Ruling)
const Planning = lazy(
  say('The planner'),
  async () => (await import('../plans/planning.tsx')).Planning,
)

export function Orders({ game }: { readonly game: Game }): JSX.Element {
  const kind = game.orderKind
  if (game.doing.isShipless.value) {
    return (
      <Panel title={say('Orders')} name="orders">
        <p class="order-hint">
          {say('There is no ship to give orders to. An administrator can assign one.')}
        </p>
      </Panel>
    )
  }
  return (
    <>
      <SteeringPanel game={game} />
      <Panel title={say('Orders')} name="orders">
        <div class="order-kinds" role="group" aria-label={say('Kinds of orders')}>
          {ORDER_KINDS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={kind.value === name}
              onClick={() => {
                game.preview.clear()
                kind.value = name
              }}
            >
              {ORDER_KIND_WORDS[name]}
            </button>
          ))}
        </div>
        <div hidden={kind.value !== 'Maneuver'}>
          <Maneuvering game={game} />
        </div>
        <div hidden={kind.value !== 'Burn'}>
          <Burning game={game} />
        </div>
        {kind.value === 'Plan' && <Planning game={game} />}
        {kind.value === 'Dock' && <Docking game={game} />}
        {kind.value === 'Rules' && <Ruling game={game} />}
        {kind.value === 'Jump' && <Jumping game={game} />}
      </Panel>
    </>
  )
}
