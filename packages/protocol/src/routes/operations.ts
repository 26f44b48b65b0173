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
