import { findShip, systemClock } from '@orrery/engine'
import { type AccountKind, refusal } from '@orrery/game'
import {
  type AdminsResponse,
  type AssignedShipResponse,
  type AuditResponse,
  CLOSE_CODES,
  type MessageResponse,
  type NewAdminResponse,
  type PlayerEntry,
  type PlayerResponse,
  type PlayersQuery,
  type PlayersResponse,
  type RoleResponse,
  auditQuery,
  newAdminRequest,
  newShipQuery,
  newPasswordRequest,
  playersQuery,
  roleRequest,
} from '@orrery/protocol'
import type { Account } from '@orrery/store'
import { type Context, Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { passwordChanged, signOutEverywhere } from './ended-tokens.ts'
import { serve } from '../documents/openapi.ts'
import { ACCOUNT_DELETED } from '../sockets/sockets.ts'
import type { AdminEnv } from './admin.ts'
import type { Caller } from '../requests/caller.ts'
import { bodyValues, queryValues } from '../requests/input.ts'

/** Accounts of a page, unless the request has a limit. */
const PAGE_ACCOUNTS = 50

/** Audit entries of one answer, unless the request has a limit. */
const AUDIT_ENTRIES = 100

/** A token that is older could be a stolen one. */
const RECENT_SECONDS = 15 * 60

const OWN_PASSWORD =
  'For the own account the token of the request stays valid, and one older than 15 minutes needs ' +
  '`current_password`, which is checked whenever it is given.'

const listingPlayers = {
  summary: 'List accounts',
  description:
    'All accounts, oldest first. With a query it is a page of those whose names contain ' +
    '`search`; `next` continues it as `after`.',
  tag: 'accounts',
  query: playersQuery,
} as const

const showingPlayer = {
  summary: 'Read an account',
  description: 'One account, with the name and star system of its ship.',
  tag: 'accounts',
  errors: [[404, 'E009']],
} as const

const deletingPlayer = {
  summary: 'Delete an account',
  description:
    'Deletes an account and its ships. A connected player gets E014 and is disconnected.',
  tag: 'accounts',
  errors: [
    [400, 'E003'],
    [404, 'E009'],
  ],
} as const

const resettingPassword = {
  summary: "Reset a player's password",
  description:
    "Sets a new password. The player's tokens end and the sockets are closed. " + OWN_PASSWORD,
  tag: 'accounts',
  body: newPasswordRequest,
  errors: [
    [400, 'E012'],
    [403, 'E003'],
    [404, 'E009'],
    [429, 'E004'],
  ],
} as const

const changingRole = {
  summary: 'Change a role',
  description: 'Makes a player an admin or an admin a player. The own role cannot be changed.',
  tag: 'accounts',
  body: roleRequest,
  errors: [
    [400, 'E003'],
    [400, 'E009'],
  ],
} as const

const assigningShip = {
  summary: 'Assign a ship',
  description:
    'Gives a new ship to an account that has none, of the class `ship_class` or else of that of ' +
    'new accounts.',
  tag: 'accounts',
  query: newShipQuery,
  errors: [
    [403, 'E031'],
    [404, 'E009'],
    [409, 'E003'],
  ],
} as const

const creatingAdmin = {
  summary: 'Create an admin',
  description: 'Makes an account for an admin, without a ship.',
  tag: 'accounts',
  body: newAdminRequest,
  errors: [
    [400, 'E011'],
    [400, 'E012'],
    [409, 'E010'],
  ],
} as const

const listingAdmins = {
  summary: 'List admins',
  description: 'All admins, oldest first.',
  tag: 'accounts',
} as const

const deletingAdmin = {
  summary: 'Delete an admin',
  description: 'Deletes another admin, and the ships if there are any.',
  tag: 'accounts',
  errors: [
    [400, 'E003'],
    [404, 'E009'],
  ],
} as const

const changingAdminPassword = {
  summary: "Change an admin's password",
  description: 'Sets the own password or that of another admin, whose tokens end. ' + OWN_PASSWORD,
  tag: 'accounts',
  body: newPasswordRequest,
  errors: [
    [400, 'E012'],
    [403, 'E003'],
    [404, 'E009'],
    [429, 'E004'],
  ],
} as const

const signingOut = {
  summary: 'Sign out everywhere',
  description:
    "Ends all tokens of the caller's own account, that of this request too, and closes its " +
    'sockets.',
  tag: 'accounts',
} as const

const listingAudit = {
  summary: 'List audit entries',
  description:
    'Logins of admins and changes of accounts and of the server, each with its actor and the ' +
    "actor's address, newest first.",
  tag: 'operations',
  query: auditQuery,
} as const

/** What admins do to accounts, their own kind's among them. */
export function accountRoutes(parts: AppParts): Hono<AdminEnv> {
  const routes = new Hono<AdminEnv>()
  addPlayers(routes, parts)
  addShips(routes, parts)
  addAdmins(routes, parts)
  addAudit(routes, parts)
  return routes
}

function addPlayers(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { accounts, accountChanges, sockets, engine } = parts
  serve(routes, 'listPlayers', listingPlayers, async (context) => {
    const query = queryValues(context, playersQuery)
    if (Object.keys(query).length > 0) return context.json(await pageOfPlayers(parts, query))
    const all = (await accounts.list()).map((account) => entryOf(parts, account))
    return context.json({ players: all } satisfies PlayersResponse)
  })

  serve(routes, 'readPlayer', showingPlayer, async (context) => {
    const account = await accounts.byId(context.req.param('player_id'))
    if (!account) throw refusal('E009')
    const { shipId, isAdmin } = account
    const place = shipId === null ? undefined : findShip(engine.universe, shipId)
    const answer: PlayerResponse = {
      ...entryOf(parts, account),
      is_admin: isAdmin,
      ...(place && { ship_name: place.entry.name, system_id: place.world.state.system.id }),
    }
    return context.json(answer)
  })

  serve(routes, 'deletePlayer', deletingPlayer, (context) =>
    remove(context, parts, context.req.param('player_id'), 'any'),
  )

  serve(routes, 'resetPlayerPassword', resettingPassword, (context) =>
    resetPassword(context, parts, context.req.param('player_id'), 'any'),
  )

  serve(routes, 'changeRole', changingRole, async (context) => {
    const body = await bodyValues(context, roleRequest)
    const id = context.req.param('player_id')
    const actor = context.get('admin')
    const { playerId } = await accountChanges.changeRole(actor, id, body.is_admin)
    if (!body.is_admin) {
      const close = CLOSE_CODES.expired
      sockets.disconnect(playerId, { error: 'E005', close, reason: 'expired', only: 'observers' })
    }
    const answer: RoleResponse = { success: true }
    return context.json(answer)
  })
}

type EntryParts = Pick<AppParts, 'accounts' | 'sockets'>

/** Some accounts, oldest first. */
export async function pageOfPlayers(
  parts: EntryParts,
  { search = '', limit = PAGE_ACCOUNTS, after }: PlayersQuery,
): Promise<PlayersResponse> {
  const asked = { search, limit, ...(after !== undefined && { after }) }
  const { accounts, total, next } = await parts.accounts.page(asked)
  return {
    players: accounts.map((account) => ({
      ...entryOf(parts, account),
      is_admin: account.isAdmin,
    })),
    total,
    ...(next !== undefined && { next }),
  }
}

function entryOf({ sockets }: EntryParts, account: Account): PlayerEntry {
  const { coastingShips } = account
  return {
    player_id: account.playerId,
    username: account.username,
    ship_id: account.shipId ?? '',
    ...(coastingShips.length > 0 && { coasting_ships: coastingShips }),
    created_at: account.createdAt.toISOString(),
    online: sockets.isOnline(account.playerId),
  }
}

/** Ships of players. */
function addShips(routes: Hono<AdminEnv>, { accountChanges, sockets }: AppParts): void {
  serve(routes, 'assignShip', assigningShip, async (context) => {
    const id = context.req.param('player_id')
    const { ship_class: shipClass } = queryValues(context, newShipQuery)
    const admin = context.get('admin')
    const { playerId, shipId } = await accountChanges.assignShip(admin, id, shipClass)
    sockets.shipChanged(playerId)
    const answer: AssignedShipResponse = { ship_id: shipId }
    return context.json(answer, 201)
  })
}

function addAdmins(routes: Hono<AdminEnv>, parts: AppParts): void {
  const { accounts, accountChanges } = parts
  serve(routes, 'createAdmin', creatingAdmin, async (context) => {
    const body = await bodyValues(context, newAdminRequest)
    const actor = context.get('admin')
    const account = await accountChanges.createAdmin(actor, body.username, body.password)
    const answer: NewAdminResponse = { admin_id: account.playerId, username: account.username }
    return context.json(answer, 201)
  })

  serve(routes, 'listAdmins', listingAdmins, async (context) => {
    const answer: AdminsResponse = {
      admins: (await accounts.admins()).map(({ playerId, username, createdAt }) => ({
        admin_id: playerId,
        username,
        created_at: createdAt.toISOString(),
      })),
    }
    return context.json(answer)
  })

  serve(routes, 'deleteAdmin', deletingAdmin, (context) =>
    remove(context, parts, context.req.param('admin_id'), 'admin'),
  )

  serve(routes, 'changeAdminPassword', changingAdminPassword, (context) =>
    resetPassword(context, parts, context.req.param('admin_id'), 'admin'),
  )

  serve(routes, 'endAdminTokens', signingOut, async (context) => {
    await signOutEverywhere(parts, context.get('admin'))
    return context.body(null, 204)
  })
}

function addAudit(routes: Hono<AdminEnv>, { auditTrail }: AppParts): void {
  serve(routes, 'listAudit', listingAudit, async (context) => {
    const { limit = AUDIT_ENTRIES } = queryValues(context, auditQuery)
    const entries = await auditTrail.list({ limit })
    const answer: AuditResponse = {
      entries: entries.map(({ at, actor, actorName, ...entry }) => ({
        at: at.toISOString(),
        actor,
        actor_name: actorName,
        ...entry,
      })),
    }
    return context.json(answer)
  })
}

async function remove(
  context: Context<AdminEnv>,
  { accountChanges, sockets }: AppParts,
  id: string,
  kind: AccountKind,
): Promise<Response> {
  const { playerId } = await accountChanges.remove(context.get('admin'), id, kind)
  sockets.disconnect(playerId, ACCOUNT_DELETED)
  return context.body(null, 204)
}

async function resetPassword(
  context: Context<AdminEnv>,
  parts: AppParts,
  id: string,
  kind: AccountKind,
): Promise<Response> {
  const body = await bodyValues(context, newPasswordRequest)
  const admin = context.get('admin')
  if (id.toLowerCase() === admin.playerId) await proven(parts, admin, body.current_password)
  const { playerId } = await parts.accountChanges.resetPassword(admin, id, body.new_password, kind)
  passwordChanged(parts, playerId, admin)
  const answer: MessageResponse = { message: 'The password is changed' }
  return context.json(answer)
}

/** @throws {Refusal} 403 E003 without the right password, unless the caller has just logged in */
async function proven(
  { ownPasswords, players }: AppParts,
  { playerId, account, issuedAt }: Caller,
  password: string | undefined,
): Promise<void> {
  if (password !== undefined) {
    return ownPasswords.checked(playerId, () => players.confirm(account, password))
  }
  if (systemClock.utcMs() / 1000 - issuedAt <= RECENT_SECONDS) return
  throw refusal('E003', 'current_password is needed: the token is older than 15 minutes')
}
