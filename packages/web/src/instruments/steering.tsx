/** What the hull is turned to: a button for each direction. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { giveOrder } from '../orders/orders.ts'
import { STEERINGS, type Steering } from '../orders/steering-modes.ts'
import { canSteer, steer } from '../game/steering.ts'
import { keyOf } from '../input/key-names.ts'
import { Explain } from '../elements/explain.tsx'
import { Panel } from '../elements/panel.tsx'
import { SteeringIcon } from './steering-icon.tsx'
import './steering.css'

const MODES = {
  locked: say('holding'),
  turning: say('turning'),
  free: say('turning freely'),
}

export function SteeringPanel({ game }: { readonly game: Game }): JSX.Element {
  const steering = game.doing.ship.value?.steering
  const gamepad = game.helm.gamepad.value
  const unloads = steering?.wheel_unloading ?? true
  const toggleUnloading = (): void => {
    const words = unloads ? say('Keep the wheels loaded') : say('Unload the wheels by thrusters')
    void giveOrder(game, { type: 'control', wheel_unloading: !unloads }, words)
  }
  return (
    <Panel
      title={say('Steering')}
      name="steering"
      aside={
        <>
          {steering && <span class="panel-state">{MODES[steering.mode]}</span>}
          <Explain of="Steering" />
        </>
      }
    >
      <div class="steering-modes" role="group" aria-label={say('Directions')}>
        {STEERINGS.map((mode) => (
          <SteeringButton key={mode.mode} game={game} steering={mode} />
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={unloads} onChange={toggleUnloading} />
        {say('Thrusters unload the wheels')}
      </label>
      {gamepad !== undefined && (
        <p class="hint" title={gamepad}>
          {say('Gamepad connected: sticks turn, triggers move the throttle.')}
        </p>
      )}
    </Panel>
  )
}

function SteeringButton({
  game,
  steering,
}: {
  readonly game: Game
  readonly steering: Steering
}): JSX.Element {
  const { mode, key, words } = steering
  const isPossible = canSteer(game, mode)
  const hint = isPossible ? words : say('{words}: choose a target first', { words })
  return (
    <button
      type="button"
      class="steering-mode"
      data-mode={mode}
      aria-label={words}
      aria-pressed={game.doing.pointing.value === mode}
      disabled={!isPossible}
      title={`${hint} (${keyOf(`flight.${mode}`, key)})`}
      onClick={() => steer(game, steering)}
    >
      <SteeringIcon mode={mode} />
    </button>
  )
}
