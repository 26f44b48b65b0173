/** What the hand is on: throttle and turning, beside the instruments. */
import type { ComponentChildren, JSX } from 'preact'
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'
import { Throttle } from './throttle.tsx'
import { TurnPad } from './turn-pad.tsx'
import './helm.css'

interface HelmProps {
  readonly game: Game
  readonly stage: Stage
  /** the instruments */
  readonly children?: ComponentChildren
}

export function Helm({ game, stage, children }: HelmProps): JSX.Element {
  return (
    <div class="helm">
      <Throttle game={game} stage={stage} />
      {children}
      <TurnPad game={game} />
    </div>
  )
}
