// What tests of accounts repeat, as the first admin.
import {
  type LoginResponse,
  type PlayersResponse,
  type RegisterResponse,
  SERVICE_SCOPES,
  loginResponse,
  newAdminResponse,
  playersResponse,
  serviceTokenResponse,
} from '@orrery/protocol'
import * as v from 'valibot'
import { expect } from 'vitest'
import { type Answer, PASSWORD, type Place, adminToken, ask, register } from '../player-client.ts'
import { refusalOf } from '../refusal.ts'
import { ADMIN } from '../server-process.ts'

/** An account with a player's token, and an admin's. */
export type Admin = LoginResponse & { readonly admin: string }

/** The first admin's session, also after a restart of the server. */
export interface AdminSession {
  readonly chief: Admin
  /** every token that was issued */
  readonly tokens: ReadonlySet<string>
  /** asks as the first admin */
  order(method: string, path: string, body?: unknown): Promise<Answer>
  changeRole(playerId: string, isAdmin: unknown): Promise<Answer>
  players(): Promise<PlayersResponse['players']>
  enter(username: string, password: string): Promise<Answer>
  login(username: string, password?: string): Promise<LoginResponse>
  newName(): string
  newPlayer(): Promise<RegisterResponse>
  newAdmin(): Promise<Admin>
  /** a service token with all scopes */
  serviceToken(): Promise<string>
}

export async function openAdminSession(place: Place): Promise<AdminSession> {
  let made = 0
  const tokens = new Set<string>()
  const newName = (): string => `Pilot_${++made}`
  const enter = (username: string, password: string): Promise<Answer> =>
    ask(place, 'POST', '/api/auth/login', { body: { username, password } })
  const login = async (username: string, password: string = PASSWORD): Promise<LoginResponse> => {
    const person = v.parse(loginResponse, (await enter(username, password)).body)
    tokens.add(person.token).add(person.admin_token ?? person.token)
    return person
  }
  const admin = await adminToken(place)
  const chief = { ...(await login(ADMIN.username, ADMIN.password)), admin }
  const order = (method: string, path: string, body?: unknown): Promise<Answer> =>
    ask(place, method, path, { token: admin, ...(body !== undefined && { body }) })
  return {
    chief,
    tokens,
    order,
    enter,
    login,
    newName,
    changeRole: (id, isAdmin) =>
      order('PUT', `/api/admin/players/${id}/role`, { is_admin: isAdmin }),
    players: async () =>
      v.parse(playersResponse, (await order('GET', '/api/admin/players')).body).players,
    newPlayer: async () => {
      const player = await register(place, newName())
      tokens.add(player.token)
      return player
    },
    newAdmin: async () => {
      const username = newName()
      const answer = await order('POST', '/api/admin/admins', { username, password: PASSWORD })
      expect(answer.status).toBe(201)
      const { admin_id: id } = v.parse(newAdminResponse, answer.body)
      const person = await login(username)
      expect(person).toMatchObject({ player_id: id, ship_id: '' })
      return { ...person, admin: person.admin_token ?? '' }
    },
    serviceToken: async () => {
      const wanted = { name: newName(), scopes: SERVICE_SCOPES }
      const answer = await order('POST', '/api/admin/service-tokens', wanted)
      return v.parse(serviceTokenResponse, answer.body).token
    },
  }
}

/** Status of an answer, with the code of a refusal. */
export async function outcome(asked: Promise<Answer>): Promise<string> {
  const answer = await asked
  return answer.status < 400 ? String(answer.status) : refusalOf(answer)
}
