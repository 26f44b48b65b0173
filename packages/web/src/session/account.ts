/** Who plays: kept by the browser until the token expires or the player leaves. */
export interface Account {
  readonly username: string
  readonly token: string
  readonly shipId: string
}

/** An account as it was kept. */
export interface KeptAccount extends Account {
  readonly hasExpired: boolean
}

export interface AccountStore {
  /** @param nowMs  of the browser's clock [Unix ms] */
  read(nowMs: number): KeptAccount | undefined
  /** @returns false where the browser keeps nothing */
  keep(account: Account): boolean
  forget(): void
}

const KEY = 'orrery.account'

/** The browser's clock may be wrong by so much [ms]; within it the server decides. */
const CLOCK_ERROR_MS = 2 * 3_600_000

/** @param storage  undefined where the browser allows none: nothing is kept then */
export function createAccountStore(storage: Storage | undefined): AccountStore {
  return {
    read: (nowMs) => {
      const account = parsedAccount(storage?.getItem(KEY) ?? '')
      if (!account) return undefined
      const expiryMs = tokenExpiryMs(account.token)
      return { ...account, hasExpired: !(nowMs < expiryMs + CLOCK_ERROR_MS) }
    },
    keep: ({ username, token, shipId }) => {
      try {
        storage?.setItem(KEY, JSON.stringify({ username, token, shipId }))
        return storage !== undefined
      } catch {
        // A full storage: the player signs in again at the next visit.
        return false
      }
    },
    forget: () => storage?.removeItem(KEY),
  }
}

function parsedAccount(text: string): Account | undefined {
  const { username, token, shipId } = Object(parsed(text))
  const isAccount = [username, token, shipId].every((value) => typeof value === 'string')
  return isAccount ? { username, token, shipId } : undefined
}

/** `exp` of a JWT [Unix ms]; NaN for any other text. */
function tokenExpiryMs(token: string): number {
  const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    const { exp } = Object(parsed(atob(claims)))
    return typeof exp === 'number' ? exp * 1000 : NaN
  } catch {
    return NaN
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
