import * as v from 'valibot'
import { ERRORS } from '../errors.ts'
import { type Timestamp, type Uuid, timestamp, uuid, uuidOrEmpty } from '../identifiers.ts'
import { queryInteger } from '../query.ts'
import { count } from '../numbers.ts'

/** Bytes of a password at most: what is hashed must not be a way to keep the server busy. */
const PASSWORD_BYTES_MAX = 1024

const PASSWORD_CHARACTERS_MIN = 8

const utf8 = new TextEncoder()

function passwordFits(text: string): boolean {
  return utf8.encode(text).byteLength <= PASSWORD_BYTES_MAX
}

/** Schema of a user name: 3-20 of A-Z, a-z, 0-9 and underscore. */
export const username: v.GenericSchema<string> = v.pipe(
  v.string(ERRORS.E011.meaning),
  v.regex(/^[A-Za-z0-9_]{3,20}$/, ERRORS.E011.meaning),
)

/** Schema of a new password: 8 code points at least, 1024 bytes at most. */
export const password: v.GenericSchema<string> = v.pipe(
  v.string(ERRORS.E012.meaning),
  v.check(passwordFits, ERRORS.E012.meaning),
  v.check((text) => Array.from(text).length >= PASSWORD_CHARACTERS_MIN, ERRORS.E012.meaning),
  // JSON Schema counts code points too; so documents say it, though no code reads it.
  v.metadata({ minLength: PASSWORD_CHARACTERS_MIN, maxLength: PASSWORD_BYTES_MAX }),
)

/** Schema of the code of an invitation. */
const invitation = v.pipe(
  v.string('invitation must be the code of an invitation'),
  v.regex(/^[\w-]{22}$/, 'invitation must be the code of an invitation'),
)

/** Schema of the name of a ship class, which may be unknown. */
export const shipClassName: v.GenericSchema<string> = v.pipe(
  v.string('must be a name'),
  v.nonEmpty('must be a name'),
)

/** Body of `POST /api/auth/register`. */
export interface RegisterRequest {
  readonly username: string
  readonly password: string
  /** Code of an invitation; without one the ship begins on the spawn orbit. */
  readonly invitation?: string
  /** Name of the ship's class; that of new accounts by default. */
  readonly ship_class?: string
}

/** Schema of a registration; the name's issue comes before the password's. */
export const registerRequest: v.GenericSchema<RegisterRequest> = v.object({
  username,
  password,
  invitation: v.exactOptional(invitation),
  ship_class: v.exactOptional(shipClassName),
})

/** Body of `POST /api/auth/sign-in`. */
export interface SignInRequest {
  /** JWT of the issuer whose people may sign in. */
  readonly token: string
  /** Of a new account; `pilot_` and eight digits by default. */
  readonly username?: string
  /** Name of the class of a new account's ship. */
  readonly ship_class?: string
}

const TOKEN_CHARACTERS_MAX = 8192

/** Schema of {@link SignInRequest}. */
export const signInRequest: v.GenericSchema<SignInRequest> = v.object({
  token: v.pipe(
    v.string('token must be a JWT'),
    v.maxLength(TOKEN_CHARACTERS_MAX, `token must have at most ${TOKEN_CHARACTERS_MAX} characters`),
  ),
  username: v.exactOptional(username),
  ship_class: v.exactOptional(shipClassName),
})

/** Body of `POST /api/admin/admins`. */
export interface NewAdminRequest {
  readonly username: string
  readonly password: string
}

/** Schema of {@link NewAdminRequest}. */
export const newAdminRequest: v.GenericSchema<NewAdminRequest> = v.object({ username, password })

/** Registrations that one invitation may be for, and hours that it is good for, at most. */
const INVITED_MAX = 1000
const VALID_HOURS_MAX = 168

/** Body of `POST /api/player/invitations`; good for a day by default. */
export interface InvitationRequest {
  readonly registrations: number
  readonly valid_hours?: number
}

/** Schema of {@link InvitationRequest}. */
export const invitationRequest: v.GenericSchema<InvitationRequest> = v.object({
  registrations: wholeUpTo(INVITED_MAX),
  valid_hours: v.exactOptional(wholeUpTo(VALID_HOURS_MAX)),
})

function wholeUpTo(most: number): v.GenericSchema<number> {
  const meaning = `must be an integer from 1 to ${most}`
  return v.pipe(
    v.number(meaning),
    v.integer(meaning),
    v.minValue(1, meaning),
    v.maxValue(most, meaning),
  )
}

/** 201 of `POST /api/player/invitations`; no other answer has the code. */
export interface InvitationResponse {
  readonly invitation: string
  readonly registrations: number
  readonly expires_at: Timestamp
}

/** Schema of {@link InvitationResponse}. */
export const invitationResponse: v.GenericSchema<InvitationResponse> = v.object({
  invitation: v.string(),
  registrations: v.pipe(v.number(), v.safeInteger()),
  expires_at: timestamp,
})

/** Body of both login routes. */
export interface LoginRequest {
  readonly username: string
  readonly password: string
}

/**
 * Schema of a login. It refuses what no account can have, so that no such text reaches the
 * database or the hash; the route answers each such refusal as a wrong password (E005).
 */
export const loginRequest: v.GenericSchema<LoginRequest> = v.object({
  username,
  password: v.pipe(v.string(), v.check(passwordFits)),
})

/** 201 of `POST /api/auth/register`. */
export interface RegisterResponse {
  readonly player_id: Uuid
  readonly username: string
  readonly ship_id: Uuid
  readonly token: string
}

export const registerResponse: v.GenericSchema<RegisterResponse> = v.object({
  player_id: uuid,
  username: v.string(),
  ship_id: uuid,
  token: v.string(),
})

/** 200 of `POST /api/auth/login`; `admin_token` is there for admins only. */
export interface LoginResponse {
  readonly player_id: Uuid
  readonly username: string
  /** Empty for an account without a ship. */
  readonly ship_id: Uuid
  readonly token: string
  readonly is_admin: boolean
  readonly admin_token?: string
}

export const loginResponse: v.GenericSchema<LoginResponse> = v.object({
  player_id: uuid,
  username: v.string(),
  ship_id: uuidOrEmpty,
  token: v.string(),
  is_admin: v.boolean(),
  admin_token: v.exactOptional(v.string()),
})

/** 200 of `POST /api/admin/auth/login` and its alias. */
export interface AdminLoginResponse {
  readonly success: true
  readonly admin_id: Uuid
  readonly token: string
  readonly role: string
  readonly is_admin: true
}

export const adminLoginResponse: v.GenericSchema<AdminLoginResponse> = v.object({
  success: v.literal(true),
  admin_id: uuid,
  token: v.string(),
  role: v.string(),
  is_admin: v.literal(true),
})

/** Schema of a password that an account has: what no account can have is a wrong one. */
const presentPassword = v.pipe(v.string(), v.check(passwordFits))

/** Body of the routes by which an admin sets a password. */
export interface NewPasswordRequest {
  readonly new_password: string
  /** The present one of the caller; checked where it is the caller's own account. */
  readonly current_password?: string
}

export const newPasswordRequest: v.GenericSchema<NewPasswordRequest> = v.object({
  new_password: password,
  current_password: v.exactOptional(presentPassword),
})

/** Body of `PUT /api/account/password`. */
export interface OwnPasswordRequest extends NewPasswordRequest {
  readonly current_password: string
}

export const ownPasswordRequest: v.GenericSchema<OwnPasswordRequest> = v.object({
  current_password: presentPassword,
  new_password: password,
})

/** Body of what hands out secrets: the caller's password once more. */
export interface PasswordRequest {
  readonly password: string
}

export const passwordRequest: v.GenericSchema<PasswordRequest> = v.object({
  password: presentPassword,
})

/** 200 of the routes that change a password. */
export interface MessageResponse {
  readonly message: string
}

export const messageResponse: v.GenericSchema<MessageResponse> = v.object({ message: v.string() })

/** Body of `PUT /api/admin/players/{player_id}/role`. */
export interface RoleRequest {
  readonly is_admin: boolean
}

export const roleRequest: v.GenericSchema<RoleRequest> = v.object({
  is_admin: v.boolean('is_admin must be true or false'),
})

/** 200 of `PUT /api/admin/players/{player_id}/role`. */
export interface RoleResponse {
  readonly success: true
}

export const roleResponse: v.GenericSchema<RoleResponse> = v.object({ success: v.literal(true) })

/** 201 of `POST /api/admin/players/{player_id}/ship`. */
export interface AssignedShipResponse {
  readonly ship_id: Uuid
}

export const assignedShipResponse: v.GenericSchema<AssignedShipResponse> = v.object({
  ship_id: uuid,
})

/** Accounts of a page at most. */
const PAGE_MAX = 500

/** Characters of a search at most: an id's. */
const SEARCH_LENGTH_MAX = 36

/** Query of `GET /api/admin/players`; any field makes the answer a page. */
export interface PlayersQuery {
  /** part of a name in any case, or the whole id of a player or ship */
  readonly search?: string
  readonly limit?: number
  /** `next` of the answer before */
  readonly after?: string
}

/** Schema of {@link PlayersQuery} as it stands in the URL. */
export const playersQuery: v.GenericSchema<
  { search?: string; limit?: string; after?: string },
  PlayersQuery
> = v.object({
  search: v.exactOptional(
    v.pipe(
      v.string('must be a text'),
      v.maxLength(SEARCH_LENGTH_MAX, `has ${SEARCH_LENGTH_MAX} characters at most`),
    ),
  ),
  limit: v.exactOptional(queryInteger(1, PAGE_MAX)),
  after: v.exactOptional(
    v.pipe(
      v.string('must be `next` of the answer before'),
      v.regex(/^\d{1,16}\.[0-9a-f-]{36}$/, 'must be `next` of the answer before'),
    ),
  ),
})

/** One account as admins see it. */
export interface PlayerEntry {
  readonly player_id: Uuid
  readonly username: string
  /** Empty for an account without a ship. */
  readonly ship_id: Uuid
  /** its others; absent for none */
  readonly coasting_ships?: readonly Uuid[]
  readonly created_at: Timestamp
  readonly online: boolean
}

const playerEntry = {
  player_id: uuid,
  username: v.string(),
  ship_id: uuidOrEmpty,
  coasting_ships: v.exactOptional(v.array(uuid)),
  created_at: timestamp,
  online: v.boolean(),
}

/** 200 of `GET /api/admin/players`, oldest first: all accounts, or a page of them. */
export interface PlayersResponse {
  /** On a page with their role. */
  readonly players: readonly (PlayerEntry & { readonly is_admin?: boolean })[]
  /** On a page: accounts that the search finds in all. */
  readonly total?: number
  /** `after` of the next request; absent at the end. */
  readonly next?: string
}

export const playersResponse: v.GenericSchema<PlayersResponse> = v.object({
  players: v.array(v.object({ ...playerEntry, is_admin: v.exactOptional(v.boolean()) })),
  total: v.exactOptional(count),
  next: v.exactOptional(v.string()),
})

/** 200 of `GET /api/admin/players/{player_id}`. */
export interface PlayerResponse extends PlayerEntry {
  readonly is_admin: boolean
  /** The ship's name and star system; absent without a ship, and in transit. */
  readonly ship_name?: string
  readonly system_id?: string
}

export const playerResponse: v.GenericSchema<PlayerResponse> = v.object({
  ...playerEntry,
  is_admin: v.boolean(),
  ship_name: v.exactOptional(v.string()),
  system_id: v.exactOptional(v.string()),
})

/** 201 of `POST /api/admin/admins`. */
export interface NewAdminResponse {
  readonly admin_id: Uuid
  readonly username: string
}

export const newAdminResponse: v.GenericSchema<NewAdminResponse> = v.object({
  admin_id: uuid,
  username: v.string(),
})

/** 200 of `GET /api/admin/admins`: oldest first. */
export interface AdminsResponse {
  readonly admins: readonly {
    readonly admin_id: Uuid
    readonly username: string
    readonly created_at: Timestamp
  }[]
}

export const adminsResponse: v.GenericSchema<AdminsResponse> = v.object({
  admins: v.array(v.object({ admin_id: uuid, username: v.string(), created_at: timestamp })),
})
