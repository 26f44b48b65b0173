import { type Engine, EngineError } from '@orrery/engine'
import { HttpError } from '@orrery/http'
import { ERRORS, type ErrorCode } from '@orrery/protocol'
import { type Account, type Accounts, StoreError } from '@orrery/store'
import { randomUUID } from 'node:crypto'
import { type Passwords, PasswordsBusyError } from './passwords.ts'
import type { TokenType, Tokens } from './tokens.ts'

/** An account whose owner has shown a valid token. */
export interface Bearer {
  readonly account: Account
  /** Unix seconds */
  readonly expiresAt: number
}

/** Accounts and their ships: who may come in, and as whom. */
export interface Players {
  /** @throws {HttpError} E010 when the name is taken, E008 when the world is full or busy */
  register(username: string, password: string): Promise<{ account: Account; token: string }>
  /** @throws {HttpError} E005 when name or password is wrong, E003 for a pilot without a ship */
  login(username: string, password: string): Promise<Login>
  /**
   * The account a token belongs to. Admin tokens need the role still. A token that is good in
   * itself, but whose account is deleted, is 'gone'.
   */
  bearer(token: string, type: TokenType): Promise<Bearer | 'invalid' | 'gone'>
}

export interface Login {
  readonly account: Account
  readonly token: string
  readonly adminToken: string | undefined
}

export interface PlayersOptions {
  readonly accounts: Accounts
  readonly engine: Engine
  readonly tokens: Tokens
  readonly passwords: Passwords
}

export function createPlayers({ accounts, engine, tokens, passwords }: PlayersOptions): Players {
  // Names whose accounts are being made: hashing takes time, and two may ask for one name.
  const reserved = new Set<string>()

  const playerToken = ({ playerId, shipId, generation }: Account): Promise<string> =>
    tokens.player({ id: playerId, shipId: shipId ?? '', generation })

  const adminTokenOf = ({ playerId, generation }: Account): Promise<string> =>
    tokens.admin({ id: playerId, generation })

  const create = async (username: string, password: string): Promise<Account> => {
    if (await accounts.byUsername(username)) throw refusal('E010')
    const passwordHash = await passwords.hash(password)
    const playerId = randomUUID()
    const shipId = randomUUID()
    const account = await accounts.create({
      playerId,
      username,
      passwordHash,
      isAdmin: false,
      shipId,
    })
    try {
      await engine.execute({ kind: 'create_ship', shipId, name: username })
    } catch (error) {
      await accounts.delete(playerId)
      throw error
    }
    return account
  }

  return {
    register: async (username, password) => {
      const key = username.toLowerCase()
      if (reserved.has(key)) throw refusal('E010')
      reserved.add(key)
      try {
        const account = await create(username, password)
        return { account, token: await playerToken(account) }
      } catch (error) {
        throw asRefusal(error)
      } finally {
        reserved.delete(key)
      }
    },
    login: async (username, password) => {
      try {
        const account = await accounts.byUsername(username)
        const fits = await passwords.verify(password, account?.passwordHash)
        if (!account || !fits) throw refusal('E005', 'Invalid username or password')
        if (!account.isAdmin && account.shipId === null) {
          throw refusal('E003', 'The account has no ship; an admin can assign one')
        }
        const adminToken = account.isAdmin ? await adminTokenOf(account) : undefined
        return { account, token: await playerToken(account), adminToken }
      } catch (error) {
        throw asRefusal(error)
      }
    },
    bearer: async (token, type) => {
      const claims = await tokens.claims(token, type)
      if (!claims) return 'invalid'
      const account = await accounts.byId(claims.sub)
      if (!account) return 'gone'
      if (type === 'admin' && !account.isAdmin) return 'invalid'
      if ((claims.generation ?? account.generation) !== account.generation) return 'invalid'
      return { account, expiresAt: claims.expiresAt }
    },
  }
}

/** The HTTP error of a code of the protocol's table. */
export function refusal(code: ErrorCode, message?: string): HttpError {
  const { status, meaning } = ERRORS[code]
  return new HttpError(status, code, message ?? meaning)
}

function asRefusal(error: unknown): unknown {
  if (error instanceof StoreError && error.code === 'ERR_USERNAME_TAKEN') return refusal('E010')
  if (error instanceof PasswordsBusyError) return overload('Too many logins wait; try again')
  if (error instanceof EngineError && error.code === 'ERR_WORLD_FULL') {
    return overload('The world is full')
  }
  return error
}

function overload(message: string): HttpError {
  return new HttpError(503, 'E008', message, { headers: { 'Retry-After': '1' } })
}
