/** Whether the game is connected, and what ended it. */
import { CLOSE_CODES, type Disconnection, type GameClient, type GameSocket } from '@orrery/client'

/** Why there will be no further attempt. */
export type Ending =
  | 'replaced'
  | 'expired'
  | 'password_reset'
  | 'account_deleted'
  | 'reset'
  | 'token_refused'
  | 'origin_refused'

/** Why the connection is away. */
export type Absence =
  | 'lost'
  | 'shutdown'
  /** the server answers, and takes no socket */
  | 'refused'

export type Connection =
  | 'connecting'
  | 'live'
  /** until the next attempt, on the page's clock [ms] */
  | { readonly retryAtMs: number; readonly why: Absence }
  | { readonly ended: Ending }

const ENDINGS: ReadonlyMap<number, Ending> = new Map([
  [CLOSE_CODES.replaced, 'replaced'],
  [CLOSE_CODES.expired, 'expired'],
  [CLOSE_CODES.accountDeleted, 'account_deleted'],
  [CLOSE_CODES.passwordReset, 'password_reset'],
])

/** After so many attempts the server is asked whether it runs; one that stops may still answer. */
const ATTEMPTS = 2
const ATTEMPTS_AT_STOP = 6

export interface ConnectionFollower {
  readonly client: GameClient
  readonly socket: GameSocket
  readonly onChange: (connection: Connection) => void
}

/** Follows a socket from its first attempt on, until it has ended. */
export function followConnection({ client, socket, onChange }: ConnectionFollower): void {
  let attempts = 0
  let why: Absence = 'lost'
  let isOver = false
  const end = (ended: Ending): void => {
    if (isOver) return
    isOver = true
    onChange({ ended })
  }
  const retry = (retryMs: number): void => {
    const retryAtMs = performance.now() + retryMs
    const attempt = ++attempts
    onChange({ retryAtMs, why })
    const patience = why === 'shutdown' ? ATTEMPTS_AT_STOP : ATTEMPTS
    if (attempt < patience || why === 'refused') return
    client.status().then(
      () => {
        if (attempt !== attempts || isOver) return
        why = 'refused'
        onChange({ retryAtMs, why })
      },
      () => undefined,
    )
  }
  socket.on('shutdown', () => (why = 'shutdown'))
  socket.on('welcome', () => {
    attempts = 0
    why = 'lost'
    if (!isOver) onChange('live')
  })
  // The account is gone with the world; the socket would go on without a ship.
  socket.on('reset', () => end('reset'))
  socket.on('disconnected', (loss) => {
    const ended = endingOf(loss)
    if (ended) end(ended)
    else if (loss.retryMs !== undefined && !isOver) retry(loss.retryMs)
  })
}

function endingOf({ code, error }: Disconnection): Ending | undefined {
  if (!error || error.code === 'closed') return error && ENDINGS.get(code)
  if (error.code === 'origin_refused') return 'origin_refused'
  return ENDINGS.get(code) ?? 'token_refused'
}
