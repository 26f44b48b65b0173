/** Says that the connection is away, and when the next attempt is. */
import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Absence, Connection } from '../session/connection.ts'
import type { Game } from '../game/game.ts'

const TEXTS: Readonly<Record<Absence, string>> = {
  lost: say('The connection is lost. The ship flies on by its last order.'),
  shutdown: say('The server is restarting. The game goes on when it is back.'),
  refused: say(
    'The server answers but takes no connection. It may be full, or a proxy on the way ' +
      'blocks WebSockets or changes the header Host.',
  ),
}

export function ConnectionNotice({ game }: { readonly game: Game }): JSX.Element | null {
  const { value: connection } = game.connection
  const seconds = useSecondsLeft(game)
  if (typeof connection !== 'object' || 'ended' in connection) return null
  return (
    <div class="notice warning connection">
      <p>
        {TEXTS[connection.why]} {/* Not read out each second. */}
        <span aria-hidden="true">
          {seconds > 0 ? say('Next attempt in {seconds} s.', { seconds }) : say('Connecting …')}
        </span>
      </p>
      <button type="button" onClick={() => game.live.value?.socket.reconnect()}>
        {say('Try now')}
      </button>
    </div>
  )
}

/** Until the next attempt; 0 when it is due. */
function useSecondsLeft({ connection }: Game): number {
  const seconds = useSignal(0)
  useSignalEffect(() => {
    const note = (): void => {
      seconds.value = secondsLeft(connection.value)
    }
    note()
    const timer = setInterval(note, 500)
    return () => clearInterval(timer)
  })
  return seconds.value
}

function secondsLeft(connection: Connection | undefined): number {
  if (typeof connection !== 'object' || 'ended' in connection) return 0
  return Math.max(Math.ceil((connection.retryAtMs - performance.now()) / 1000), 0)
}
