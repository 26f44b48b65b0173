/** Without a ship: which star system is shown. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say, sayCount } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { untilAnswered } from '../session/until-answered.ts'

type Systems = Awaited<ReturnType<Game['client']['systems']>>['systems']

export function SystemChoice({ game }: { readonly game: Game }): JSX.Element {
  const { client, guestSystem } = game
  const systems = useSignal<Systems>([])
  useEffect(
    () =>
      untilAnswered(
        () => client.systems(),
        (answer) => (systems.value = answer.systems),
      ),
    [client, systems],
  )
  return (
    <select
      aria-label={say('Star system')}
      value={guestSystem.value}
      onChange={({ currentTarget }) => (guestSystem.value = currentTarget.value)}
    >
      {systems.value.map(({ id, name, body_count: bodies }) => (
        <option key={id} value={id}>
          {name}, {sayCount(bodies, '{n} body', '{n} bodies')}
        </option>
      ))}
    </select>
  )
}
