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
