import * as v from 'valibot'
import { ERRORS } from './errors.ts'
import { type Uuid, uuid, uuidOrEmpty } from './identifiers.ts'

/** Bytes of a password at most: what is hashed must not be a way to keep the server busy. */
export const PASSWORD_BYTES_MAX = 1024

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

/** Schema of a password somebody chooses: 8 code points at least, 1024 bytes at most. */
export const password: v.GenericSchema<string> = v.pipe(
  v.string(ERRORS.E012.meaning),
  v.check(passwordFits, ERRORS.E012.meaning),
  v.check((text) => Array.from(text).length >= PASSWORD_CHARACTERS_MIN, ERRORS.E012.meaning),
)

/** Body of `POST /api/auth/register`. */
export interface RegisterRequest {
  readonly username: string
  readonly password: string
}

/** Schema of a registration; the name's issue comes before the password's. */
export const registerRequest: v.GenericSchema<RegisterRequest> = v.object({ username, password })

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

/** Schema of {@link RegisterResponse}. */
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

/** Schema of {@link LoginResponse}. */
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

/** Schema of {@link AdminLoginResponse}. */
export const adminLoginResponse: v.GenericSchema<AdminLoginResponse> = v.object({
  success: v.literal(true),
  admin_id: uuid,
  token: v.string(),
  role: v.string(),
  is_admin: v.literal(true),
})
