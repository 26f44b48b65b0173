import * as v from 'valibot'
import { displayName } from '../display-name.ts'
import { type Timestamp, type Uuid, timestamp, uuid } from '../identifiers.ts'

/** What a service token may be for. */
export const SERVICE_SCOPES = ['events', 'maneuvers', 'accounts', 'commands'] as const

export type ServiceScope = (typeof SERVICE_SCOPES)[number]

/** Days that a service token is good for, at most, and by default. */
const DAYS_MAX = 730
const DAYS_DEFAULT = 90

const NAME = 'name must be 1-64 characters, none of them a control or bidirectional'
const SCOPES = `scopes must be a list of some of: ${SERVICE_SCOPES.join(', ')}`
const DAYS = `valid_days must be an integer from 1 to ${DAYS_MAX}`

/** Body of `POST /api/admin/service-tokens`; good for 90 days by default. */
export interface ServiceTokenRequest {
  readonly name: string
  readonly scopes: readonly ServiceScope[]
  readonly valid_days?: number
}

/** Schema of {@link ServiceTokenRequest}. */
export const serviceTokenRequest: v.GenericSchema<
  ServiceTokenRequest,
  Required<ServiceTokenRequest>
> = v.object({
  name: displayName(1, 64, NAME),
  scopes: v.pipe(
    v.array(v.picklist(SERVICE_SCOPES, SCOPES), SCOPES),
    v.minLength(1, SCOPES),
    v.maxLength(SERVICE_SCOPES.length, SCOPES),
  ),
  valid_days: v.exactOptional(
    v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(DAYS_MAX, DAYS)),
    DAYS_DEFAULT,
  ),
})

/** A service token without its secret. */
export interface ServiceTokenEntry {
  readonly token_id: Uuid
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

const entry = {
  token_id: uuid,
  name: v.string(),
  scopes: v.array(v.string()),
  created_at: timestamp,
  expires_at: timestamp,
}

/** Schema of {@link ServiceTokenEntry}. */
export const serviceTokenEntry: v.GenericSchema<ServiceTokenEntry> = v.object(entry)

/** 201 of `POST /api/admin/service-tokens`; no other answer has the token. */
export interface ServiceTokenResponse extends ServiceTokenEntry {
  readonly token: string
}

/** Schema of {@link ServiceTokenResponse}. */
export const serviceTokenResponse: v.GenericSchema<ServiceTokenResponse> = v.object({
  ...entry,
  token: v.string(),
})

/** 200 of `GET /api/admin/service-tokens`, oldest first. */
export interface ServiceTokensResponse {
  readonly service_tokens: readonly ServiceTokenEntry[]
}

/** Schema of {@link ServiceTokensResponse}. */
export const serviceTokensResponse: v.GenericSchema<ServiceTokensResponse> = v.object({
  service_tokens: v.array(serviceTokenEntry),
})
