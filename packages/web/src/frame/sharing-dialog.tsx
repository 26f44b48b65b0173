import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../elements/dialog.tsx'
import { lazy } from '../elements/lazy.tsx'
import type { Game } from '../game/game.ts'
import type { Stage } from '../view/stage.ts'

const Sharing = lazy('The dialog', async () => (await import('./sharing.tsx')).Sharing)

interface SharingDialogProps {
  readonly game: Game
  readonly stage: Stage
  readonly isOpen: Signal<boolean>
}

export function SharingDialog({ game, stage, isOpen }: SharingDialogProps): JSX.Element {
  return (
    <Dialog title="Share" name="sharing" isOpen={isOpen}>
      <Sharing game={game} stage={stage} />
    </Dialog>
  )
}
