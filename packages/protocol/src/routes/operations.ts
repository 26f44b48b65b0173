/** What the server does and did, for its operators. */
import * as v from 'valibot'
import { type AuditResponse, auditResponse } from '../bodies/audit.ts'
import {
  type HistoryQuery,
  type HistoryResponse,
  type LoadResponse,
  historyResponse,
  loadResponse,
} from '../bodies/load.ts'
import type { TransferRequest } from '../bodies/world-objects.ts'
import { type Timestamp, timestamp } from '../identifiers.ts'
import { count, real } from '../numbers.ts'
import type { Route } from './route.ts'

/** What runs; the numbers that decide which clients and backups fit it. */
export interface VersionResponse {
  readonly release: string
  readonly commit: string | null
  readonly physics: number
  readonly node: string
  readonly database: string
}

export const readVersion: Route<VersionResponse> = {
  request: 'GET /api/admin/version',
  access: 'admin',
  status: 200,
  answer: v.object({
    release: v.string(),
    commit: v.nullable(v.string()),
    physics: v.number(),
    node: v.string(),
    database: v.string(),
  }),
}

/** 200 of `GET /api/admin/hosts`: the servers on this database. */
export interface HostsResponse {
  /** Those that own star systems first. */
  readonly hosts: readonly {
    readonly host_id: string
    readonly url: string
    readonly state: 'owner' | 'standby' | 'silent'
    /** It gives away what it owns, and gets nothing. */
    readonly drained: boolean
    /** Star systems that it owns. */
    readonly system_ids: readonly string[]
    readonly beat_age_seconds: number | null
    readonly lag_seconds: number | null
    readonly clock_offset_seconds: number | null
    /** A host with a wrong clock owns nothing while another one can. */
    readonly clock_state: 'right' | 'off' | 'wrong'
    readonly utilisation: number
    readonly cores: number
    readonly physics: number
    readonly release: string
    readonly started_at: Timestamp
  }[]
}

export const listHosts: Route<HostsResponse> = {
  request: 'GET /api/admin/hosts',
  access: 'admin',
  status: 200,
  answer: v.object({
    hosts: v.array(
      v.object({
        host_id: v.string(),
        url: v.string(),
        state: v.picklist(['owner', 'standby', 'silent']),
        drained: v.boolean(),
        system_ids: v.array(v.string()),
        beat_age_seconds: v.nullable(real),
        lag_seconds: v.nullable(real),
        clock_offset_seconds: v.nullable(real),
        clock_state: v.picklist(['right', 'off', 'wrong']),
        utilisation: real,
        cores: count,
        physics: count,
        release: v.string(),
        started_at: timestamp,
      }),
    ),
  }),
}

/** 200 of `POST /api/admin/hosts/{host_id}/systems`; the owner gives the system within a second. */
export interface MovedSystemResponse {
  readonly success: true
  readonly host_id: string
  readonly system_id: string
}

export const moveSystem: Route<MovedSystemResponse, { path: 'host_id'; body: TransferRequest }> = {
  request: 'POST /api/admin/hosts/:host_id/systems',
  access: 'admin',
  status: 200,
  answer: v.object({ success: v.literal(true), host_id: v.string(), system_id: v.string() }),
}

/** 200 of `POST` and `DELETE /api/admin/hosts/{host_id}/drain`. */
export interface DrainedHostResponse {
  readonly success: true
  readonly host_id: string
  readonly drained: boolean
}

const drainedHostResponse = v.object({
  success: v.literal(true),
  host_id: v.string(),
  drained: v.boolean(),
})

export const drainHost: Route<DrainedHostResponse, { path: 'host_id' }> = {
  request: 'POST /api/admin/hosts/:host_id/drain',
  access: 'admin',
  status: 200,
  answer: drainedHostResponse,
}

export const undrainHost: Route<DrainedHostResponse, { path: 'host_id' }> = {
  request: 'DELETE /api/admin/hosts/:host_id/drain',
  access: 'admin',
  status: 200,
  answer: drainedHostResponse,
}

export const listAudit: Route<AuditResponse, { query: { readonly limit?: number } }> = {
  request: 'GET /api/admin/audit',
  access: 'admin',
  status: 200,
  answer: auditResponse,
}

export const readLoad: Route<LoadResponse> = {
  request: 'GET /api/admin/load',
  access: 'admin',
  status: 200,
  answer: loadResponse,
}

export const readHistory: Route<HistoryResponse, { query: HistoryQuery }> = {
  request: 'GET /api/admin/history',
  access: 'admin',
  status: 200,
  answer: historyResponse,
}

export const readMetrics: Route<string> = {
  request: 'GET /metrics',
  access: 'admin',
  status: 200,
  answer: v.string(),
  form: 'text',
}
