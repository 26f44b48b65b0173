/** The form of a plan: its nodes, where they lead, and their flight. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { orbitAfter } from '../forecast/orbit-after.ts'
import { waitText } from '../forecast/next-marks.ts'
import { distanceText, kilogramsText, speedText } from '../quantities/quantities.ts'
import { withArticle } from '../readings/thing-names.ts'
import { NODES_MAX, sizeOf } from './plan.ts'
import { NodeFields } from './node-fields.tsx'
import { type Planner, nextIndex, plannerOf } from './planner.ts'
import '../elements/order-form.css'
import './planning.css'

interface Props {
  readonly game: Game
  readonly planner: Planner
}

export function Planning({ game }: { readonly game: Game }): JSX.Element {
  const planner = plannerOf(game)
  const { plan, fault, isGiven } = planner
  const nodes = plan.nodes.value
  return (
    <form
      class="planning"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void planner.fly()
      }}
    >
      {nodes.length === 0 && (
        <p class="order-hint">
          {say(
            'Burns at times of your choice. Add a node here, or click your trajectory on the map.',
          )}
        </p>
      )}
      <Nodes game={game} planner={planner} />
      <div class="order-buttons">
        <button
          type="button"
          disabled={nodes.length >= NODES_MAX || !game.readings.value}
          onClick={() => plan.add(nextIndex(game, nodes))}
        >
          {say('Add a node')}
        </button>
        {planner.hasOrder.value && (
          <button
            type="button"
            title={say('Its burns become nodes; it goes on until another plan is flown.')}
            onClick={() => planner.open()}
          >
            {say('Open the order')}
          </button>
        )}
        {nodes.length > 0 && (
          <button type="button" onClick={() => plan.replace([])}>
            {say('Delete all')}
          </button>
        )}
      </div>
      {nodes.length > 0 && (
        <>
          <div class="order-foot">
            <p class="order-fault" role="status">
              {fault.value}
            </p>
            <div class="order-buttons">
              <button
                type="submit"
                class="go"
                disabled={fault.value !== undefined || isGiven.value}
              >
                {say('Fly it')}
              </button>
            </div>
          </div>
          <Readings game={game} planner={planner} />
        </>
      )}
    </form>
  )
}

function Nodes({ game, planner: { plan } }: Props): JSX.Element {
  const now = game.readings.value?.time ?? NaN
  return (
    <ol class="plan-nodes" aria-label={say('Nodes')}>
      {plan.nodes.value.map((node, i) => {
        const isChosen = plan.chosen.value === node.id
        const seconds = Math.floor((node.index - now) / 64)
        const when = seconds < 0 ? say('past') : say('in {wait}', { wait: waitText(seconds) })
        return (
          <li key={node.id} class={isChosen ? 'chosen' : ''}>
            <button
              type="button"
              class="plan-node"
              aria-expanded={isChosen}
              onClick={() => (plan.chosen.value = node.id)}
            >
              <span>{say('Node {n}', { n: i + 1 })}</span>
              <span>{when}</span>
              <span>{speedText(sizeOf(node))}</span>
            </button>
            {isChosen && (
              <NodeFields
                game={game}
                plan={plan}
                node={node}
                name={say('Node {n}', { n: i + 1 })}
              />
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Where the plan leads, as far as it is known. */
function Readings({ game, planner }: Props): JSX.Element {
  const { flown, problem, plan } = planner
  const { forecast, nodes } = flown.value ?? {}
  if (problem.value !== undefined || !forecast) {
    return (
      <div class="order-cost">
        {problem.value === undefined ? (
          <p class="order-hint">{say('Where it leads is shown here.')}</p>
        ) : (
          <p class="order-fault">{problem.value}</p>
        )}
      </div>
    )
  }
  const { bodies = [] } = game.session.value?.flight.world.system ?? {}
  const after = orbitAfter(forecast, bodies)
  const rows = [
    ['Δv', speedText(forecast.deltaV)],
    [say('Fuel left'), kilogramsText(forecast.fuel)],
    ...(after
      ? [
          [say('Then around'), withArticle(after.body)],
          [
            say('Apoapsis'),
            after.apoapsis < Infinity ? distanceText(after.apoapsis) : say('it leaves'),
          ],
          [say('Periapsis'), distanceText(after.periapsis)],
        ]
      : []),
  ]
  return (
    <div class="order-cost" aria-busy={nodes !== plan.nodes.value}>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul class="plan-marks" aria-label={say('After the last burn')}>
        {planner.marks.value.map(({ key, name, detail, seconds, mark: { kind } }) => (
          <li key={key} data-kind={kind}>
            {say('{what} in {wait}', {
              what: [name, detail].filter(Boolean).join(' '),
              wait: waitText(seconds),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}
