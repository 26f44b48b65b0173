/** The instruments of the own ship, below the picture. */
import type { JSX } from 'preact'
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'
import { OrbitData, ShipData } from './flight-data.tsx'
import { Navball } from './navball.tsx'
import './instruments.css'

interface InstrumentsProps {
  readonly game: Game
  readonly stage: Stage
}

export function Instruments({ game, stage }: InstrumentsProps): JSX.Element {
  return (
    <div class="instruments">
      <OrbitData game={game} />
      <Navball game={game} stage={stage} />
      <ShipData game={game} />
    </div>
  )
}
