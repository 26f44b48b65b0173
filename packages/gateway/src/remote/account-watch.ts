import { isAway } from '@orrery/database'
import type { WallClock } from '@orrery/engine'
import { CLOSE_CODES } from '@orrery/protocol'
import type { Account } from '@orrery/store'
import { ACCOUNT_DELETED, type Sockets } from '../sockets/sockets.ts'

/** Time between two looks [ms]. */
const LOOK_MS = 1000

type Watched = Pick<Account, 'playerId' | 'shipId' | 'isAdmin' | 'generation' | 'keptToken'>

export interface AccountWatchOptions {
  readonly sockets: Pick<Sockets, 'accounts' | 'disconnect' | 'shipChanged'>
  /** those of some ids that there are */
  readonly accounts: (ids: readonly string[]) => Promise<readonly Watched[]>
  readonly clock: Pick<WallClock, 'after'>
  readonly onError: (error: unknown) => void
}

/** Looks what other processes change in the accounts of connected clients. */
export interface AccountWatch {
  /** A socket is being opened with a token that was good for an account as it is here. */
  admitted(account: Watched): void
  start(): void
  stop(): void
}

export function createAccountWatch(options: AccountWatchOptions): AccountWatch {
  const { sockets, accounts, clock, onError } = options
  let seen = new Map<string, Watched>()
  /** since the last look; their sockets may not be open yet */
  let young = new Map<string, Watched>()
  let cancel: (() => void) | undefined
  let isStopped = false

  const look = async (): Promise<void> => {
    const ids = [...sockets.accounts()]
    const admitted = young
    young = new Map()
    seen = new Map([...seen, ...admitted])
    const found = new Map(
      (ids.length > 0 ? await accounts(ids) : []).map((account) => [account.playerId, account]),
    )
    for (const id of ids) {
      const account = found.get(id)
      if (account) react(sockets, account, seen.get(id))
      else sockets.disconnect(id, ACCOUNT_DELETED)
    }
    seen = new Map([...admitted, ...found])
  }

  const again = (): void => {
    cancel = clock.after(LOOK_MS, () => {
      look()
        .catch((error: unknown) => {
          // It looks again.
          if (!isAway(error)) onError(error)
        })
        .finally(() => {
          if (!isStopped) again()
        })
    })
  }
  return {
    admitted: (account) => void young.set(account.playerId, account),
    start: again,
    stop: () => {
      isStopped = true
      cancel?.()
    },
  }
}

function react(
  sockets: AccountWatchOptions['sockets'],
  { playerId, shipId, isAdmin, generation, keptToken }: Watched,
  before: Watched | undefined,
): void {
  if (before?.shipId !== shipId) sockets.shipChanged(playerId)
  const close = CLOSE_CODES.expired
  if (!isAdmin) {
    const only = 'observers'
    sockets.disconnect(playerId, { error: 'E005', close, reason: 'expired', only })
  }
  if (!before || before.generation === generation) return
  const kept = keptToken !== null && { except: keptToken }
  sockets.disconnect(playerId, { error: 'E005', close, reason: 'signed out', ...kept })
}
