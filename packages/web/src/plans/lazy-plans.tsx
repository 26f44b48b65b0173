/** The planner, loaded when a plan is first wanted: the page is there sooner without it. */
import { useSignal } from '@preact/signals'
import type { FunctionComponent, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Game } from '../game/game.ts'

interface Props {
  readonly game: Game
}

export function LazyPlanning({ game }: Props): JSX.Element {
  const section = useSignal<FunctionComponent<Props> | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    import('./planning.tsx').then(
      ({ Planning }) => (section.value = Planning),
      () => (fault.value = 'The planner does not load. Reload the page.'),
    )
  }, [])
  const Section = section.value
  if (Section) return <Section game={game} />
  return <p class="order-hint">{fault.value || 'The planner is loading.'}</p>
}
