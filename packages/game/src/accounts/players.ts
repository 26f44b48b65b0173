import type { WallClock } from '@orrery/engine'
import type { Account, Accounts, AuditTrail } from '@orrery/store'
import { asRefusal, refusal } from '../refusal.ts'
import type { AccountChanges, Coming } from './account-changes.ts'
import type { Applicant } from './login-queue.ts'
import { NO_PASSWORD, type Passwords } from './passwords.ts'
import { type TokenClaims, type TokenType, type Tokens, tokenHash } from './tokens.ts'

/** Uses of an account that never flew are noted so far apart [ms]. */
const USES_APART_MS = 3_600_000

/** An account whose owner has shown a valid token. */
export interface Bearer {
  readonly account: Account
  /** Unix seconds */
  readonly expiresAt: number
  /** Unix seconds; 0 in a token that does not say it */
  readonly issuedAt: number
  readonly tokenHash: string
}

/** Registration, login and bearers of tokens. */
export interface Players {
  /** @throws {Refusal} what `AccountChanges.createPlayer` refuses */
  register(
    username: string,
    password: string,
    coming?: Coming,
  ): Promise<{ account: Account; token: string }>
  /**
   * Logs in; that of an admin is recorded in the audit trail. Another account asking for type
   * 'admin' gets E005 after the same time.
   *
   * @throws {Refusal} E005 when name or password is wrong, E003 for a pilot without a ship, E008
   *   when too many others wait
   */
  login(applicant: Applicant, password: string, type: TokenType): Promise<Login>
  /**
   * Signs in a foreign identity, with a player's token only. The first time makes the account.
   *
   * @param playerId  made of that identity
   * @param limited   runs the making of an account, unless there were too many
   * @throws {Refusal} E003 for a pilot without a ship; what `createForeigner` refuses
   */
  signIn(
    playerId: string,
    username: string,
    coming: Coming,
    limited: (make: () => Promise<Account>) => Promise<Account>,
  ): Promise<{ account: Account; token: string }>
  /**
   * Checks the password of an account once more.
   *
   * @throws {Refusal} 403 E003 when it is wrong, E008
   */
  confirm(account: Account, password: string): Promise<void>
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
  readonly auditTrail: Pick<AuditTrail, 'record'>
  readonly onError: (error: unknown) => void
  readonly clock: Pick<WallClock, 'utcMs'>
}

export function createPlayers(options: PlayersOptions): Players {
  const { accounts, accountChanges, tokens, passwords, auditTrail } = options
  const counters: PlayerCounters = { loginsRefused: 0, loginsFailed: 0, registrations: 0 }

  const { bearer } = createBearers(options)

  const playerToken = ({ playerId, shipId, generation }: Account): Promise<string> =>
    tokens.player({ id: playerId, shipId: shipId ?? '', generation })

  const adminTokenOf = ({ playerId, generation }: Account): Promise<string> =>
    tokens.admin({ id: playerId, generation })

  const fits = (password: string, hash: string | undefined, by: Applicant): Promise<boolean> =>
    passwords.verify(password, hash, by).catch((error: unknown) => {
      throw asRefusal(error)
    })

  // Of one identity, which may sign in twice at once.
  const signingIn = new Map<string, Promise<Account>>()

  return {
    register: async (username, password, coming) => {
      const account = await accountChanges.createPlayer(username, password, coming)
      counters.registrations++
      return { account, token: await playerToken(account) }
    },
    login: async (applicant, password, type) => {
      const account = await accounts.byUsername(applicant.username)
      const isRight = await fits(password, account?.passwordHash, applicant)
      if (!account || !isRight || (type === 'admin' && !account.isAdmin)) {
        counters.loginsFailed++
        throw refusal('E005', 'Invalid username or password')
      }
      requireShip(account)
      if (!account.isAdmin) {
        return { account, token: await playerToken(account), adminToken: undefined }
      }
      const actor = { ...account, address: applicant.address }
      await auditTrail.record({ actor, action: 'login' })
      return { account, token: await playerToken(account), adminToken: await adminTokenOf(account) }
    },
    signIn: async (playerId, username, coming, limited) => {
      const make = async (): Promise<Account> => {
        const account = await accountChanges.createForeigner(playerId, username, coming)
        counters.registrations++
        return account
      }
      const found = async (): Promise<Account> =>
        (await accounts.byId(playerId)) ?? (await limited(make))
      const entering = signingIn.get(playerId) ?? found().finally(() => signingIn.delete(playerId))
      signingIn.set(playerId, entering)
      const account = await entering
      requireShip(account)
      return { account, token: await playerToken(account) }
    },
    confirm: async ({ playerId, username, passwordHash }, password) => {
      const isRight = await fits(password, passwordHash, { address: playerId, username })
      if (!isRight)
        throw refusal('E003', passwordHash === '' ? NO_PASSWORD : 'The password is wrong')
    },
    loginRefused: () => void counters.loginsRefused++,
    bearer,
    counters: () => counters,
  }
}

/** @throws {Refusal} E003 for a pilot without one */
function requireShip({ isAdmin, shipId }: Account): void {
  if (isAdmin || shipId !== null) return
  throw refusal('E003', 'The account has no ship; an admin can assign one')
}

/** Only checks tokens. */
export function createBearers({
  accounts,
  tokens,
  onError,
  clock,
}: Pick<PlayersOptions, 'tokens' | 'onError' | 'clock'> & {
  readonly accounts: Pick<Accounts, 'byId' | 'markUsed'>
}): Pick<Players, 'bearer'> {
  return {
    bearer: async (token, type) => {
      const claims = await tokens.claims(token, type)
      if (!claims) return 'invalid'
      const account = await accounts.byId(claims.sub)
      if (!account) return 'gone'
      if (type === 'admin' && !account.isAdmin) return 'invalid'
      const { expiresAt, issuedAt = 0 } = claims
      const shown = { account, expiresAt, issuedAt, tokenHash: tokenHash(token) }
      const isKept = account.keptToken === shown.tokenHash
      if (!isKept && !isCurrent(claims, account)) return 'invalid'
      const { unflownSince } = account
      const nowMs = clock.utcMs()
      if (unflownSince && nowMs - unflownSince.getTime() > USES_APART_MS) {
        accounts.markUsed(account.playerId, new Date(nowMs)).catch(onError)
      }
      return shown
    },
  }
}

/** Whether a token was issued since those of its account were ended. */
function isCurrent(
  { generation, issuedAt = 0 }: TokenClaims,
  { generation: present, tokensFrom }: Pick<Account, 'generation' | 'tokensFrom'>,
): boolean {
  if (generation !== undefined) return generation === present
  // Times of issue are whole seconds: one from within that second stays valid.
  return tokensFrom === null || issuedAt >= Math.floor(tokensFrom.getTime() / 1000)
}
