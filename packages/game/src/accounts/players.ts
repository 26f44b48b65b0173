import type { Account, Accounts } from '@orrery/store'
import { asRefusal, refusal } from '../refusal.ts'
import type { AccountChanges } from './account-changes.ts'
import type { Applicant } from './login-queue.ts'
import type { Passwords } from './passwords.ts'
import type { TokenType, Tokens } from './tokens.ts'

/** An account whose owner has shown a valid token. */
export interface Bearer {
  readonly account: Account
  /** Unix seconds */
  readonly expiresAt: number
}

/** Registration, login and bearers of tokens. */
export interface Players {
  /** @throws {Refusal} E020 while closed, E010 when the name is taken, E008 when full or busy */
  register(username: string, password: string): Promise<{ account: Account; token: string }>
  /**
   * Logs in. Another account asking for type 'admin' gets E005 after the same time.
   *
   * @throws {Refusal} E005 when name or password is wrong, E003 for a pilot without a ship, E008
   *   when too many others wait
   */
  login(applicant: Applicant, password: string, type: TokenType): Promise<Login>
  /** counts a login that was refused before name and password were checked */
  loginRefused(): void
  /**
   * The account a token belongs to. Admin tokens need the role still. A token that is good in
   * itself, but whose account is deleted, is 'gone'.
   */
  bearer(token: string, type: TokenType): Promise<Bearer | 'invalid' | 'gone'>
  counters(): Readonly<PlayerCounters>
}

/** Since the start. */
export interface PlayerCounters {
  /** by the rate limit */
  loginsRefused: number
  /** wrong names, passwords and roles */
  loginsFailed: number
  registrations: number
}

export interface Login {
  readonly account: Account
  readonly token: string
  readonly adminToken: string | undefined
}

export interface PlayersOptions {
  readonly accounts: Accounts
  readonly accountChanges: AccountChanges
  readonly tokens: Tokens
  readonly passwords: Passwords
}

export function createPlayers(options: PlayersOptions): Players {
  const { accounts, accountChanges, tokens, passwords } = options
  const counters: PlayerCounters = { loginsRefused: 0, loginsFailed: 0, registrations: 0 }

  const playerToken = ({ playerId, shipId, generation }: Account): Promise<string> =>
    tokens.player({ id: playerId, shipId: shipId ?? '', generation })

  const adminTokenOf = ({ playerId, generation }: Account): Promise<string> =>
    tokens.admin({ id: playerId, generation })

  return {
    register: async (username, password) => {
      const account = await accountChanges.createPlayer(username, password)
      counters.registrations++
      return { account, token: await playerToken(account) }
    },
    login: async (applicant, password, type) => {
      const account = await accounts.byUsername(applicant.username)
      const fits = await passwords
        .verify(password, account?.passwordHash, applicant)
        .catch((error: unknown) => {
          throw asRefusal(error)
        })
      if (!account || !fits || (type === 'admin' && !account.isAdmin)) {
        counters.loginsFailed++
        throw refusal('E005', 'Invalid username or password')
      }
      if (!account.isAdmin && account.shipId === null) {
        throw refusal('E003', 'The account has no ship; an admin can assign one')
      }
      const adminToken = account.isAdmin ? await adminTokenOf(account) : undefined
      return { account, token: await playerToken(account), adminToken }
    },
    loginRefused: () => void counters.loginsRefused++,
    bearer: async (token, type) => {
      const claims = await tokens.claims(token, type)
      if (!claims) return 'invalid'
      const account = await accounts.byId(claims.sub)
      if (!account) return 'gone'
      if (type === 'admin' && !account.isAdmin) return 'invalid'
      if ((claims.generation ?? account.generation) !== account.generation) return 'invalid'
      return { account, expiresAt: claims.expiresAt }
    },
    counters: () => counters,
  }
}
