import type { WallClock } from '@orrery/engine'
import type { AccountChanges } from '@orrery/game'
import type { Logger } from '@orrery/http'
import type { Accounts } from '@orrery/store'
import { ACCOUNT_DELETED, type Sockets } from '../sockets/sockets.ts'

/** Between two looks [ms]. */
const LOOK_MS = 3_600_000

/** Accounts removed at one look, at most: each waits until it is durable. */
const REMOVED_MAX = 10_000

/** Removes accounts that never flew and have not been used for long. */
export interface UnflownAccounts {
  /** Removes them now; ends early at a stop. */
  look(): Promise<void>
  /** since the start */
  removed(): number
  /** looks at once, and each hour from now on */
  start(): void
  stop(): void
}

export interface UnflownAccountsOptions {
  readonly accounts: Pick<Accounts, 'unflown'>
  readonly accountChanges: Pick<AccountChanges, 'removeUnflown'>
  readonly sockets: Pick<Sockets, 'isOnline' | 'disconnect'>
  /** time after its last use that an account stays for; 0 is for ever [ms] */
  readonly keptMs: number
  readonly clock: Pick<WallClock, 'utcMs'>
  readonly logger: Pick<Logger, 'info'>
  readonly onError: (error: unknown) => void
}

export function createUnflownAccounts(options: UnflownAccountsOptions): UnflownAccounts {
  const { accounts, accountChanges, sockets, keptMs, clock, logger, onError } = options
  let removed = 0
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let looking: Promise<void> | undefined

  const removeAll = async (): Promise<void> => {
    const before = new Date(clock.utcMs() - keptMs)
    let count = 0
    try {
      for (const playerId of await accounts.unflown({ before, limit: REMOVED_MAX })) {
        if (isStopping) break
        if (sockets.isOnline(playerId)) continue
        if (!(await accountChanges.removeUnflown(playerId, before))) continue
        count++
        // The player may have connected meanwhile.
        sockets.disconnect(playerId, ACCOUNT_DELETED)
      }
    } catch (error) {
      // The rest is removed at the next look.
      if (!isStopping) onError(error)
    }
    removed += count
    if (count > 0) logger.info({ accounts: count }, 'accounts that never flew are removed')
  }
  const look = (): Promise<void> => {
    looking ??= removeAll().finally(() => {
      looking = undefined
    })
    return looking
  }
  return {
    look,
    removed: () => removed,
    start: () => {
      if (keptMs === 0) return
      void look()
      timer ??= setInterval(() => void look(), LOOK_MS)
    },
    stop: () => {
      isStopping = true
      clearInterval(timer)
    },
  }
}
