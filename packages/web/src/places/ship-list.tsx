/** Other ships in view; the list is loaded when it is first opened. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { lazy } from '../elements/lazy.tsx'
import { Panel } from '../elements/panel.tsx'
import type { Game } from '../game/game.ts'

const NearList = lazy(say('The list'), async () => (await import('./near-list.tsx')).NearList)

export function ShipList({ game }: { readonly game: Game }): JSX.Element {
  const isOpen = useSignal(false)
  return (
    <Panel title={say('Ships')} name="ships" isOpen={isOpen}>
      {isOpen.value && <NearList game={game} />}
    </Panel>
  )
}
