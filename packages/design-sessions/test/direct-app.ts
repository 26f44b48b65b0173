// The app asked in process, over a database of its own.
import { createLogger } from '@orrery/http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type postgres from 'postgres'
import { createApp } from '../src/app.ts'
import { serviceConfig } from '../src/config.ts'
import type { Knowledge } from '../src/indexing/knowledge.ts'
import { openUploads } from '../src/records/upload-files.ts'
import type { Asked, Json } from './ask.ts'
import { openTables } from './indexing/fixture.ts'

/** What came back; `body` is undefined when it is no JSON. */
export interface DirectAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly body: Json
}

export interface DirectApp {
  readonly sql: postgres.Sql
  ask(method: string, path: string, asked?: Asked): Promise<DirectAnswer>
  /** a created record, or an error that tells why there is none */
  made(path: string, json: unknown): Promise<Json>
  close(): Promise<void>
}

/** @param knowledge  what is searched; by default nothing is */
export async function openApp(knowledge?: Knowledge): Promise<DirectApp> {
  const root = mkdtempSync(join(tmpdir(), 'orrery-direct-app-'))
  const database = await openTables({ directory: join(root, 'database') })
  const app = createApp({
    sql: database.sql,
    config: serviceConfig({ DATA_DIR: root }),
    logger: createLogger({ level: 'fatal', destination: 'stderr' }),
    uploads: await openUploads(join(root, 'files')),
    ...(knowledge && { knowledge }),
  })
  const ask: DirectApp['ask'] = async (method, path, { json, raw, headers = {} } = {}) => {
    const response = await app.request(`/api/v1${path}`, {
      method,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(raw !== undefined && { body: raw }),
    })
    const type = response.headers.get('content-type') ?? ''
    const text = await response.text()
    const body: Json = type.startsWith('application/json') ? JSON.parse(text) : undefined
    return { status: response.status, type, text, body }
  }
  return {
    sql: database.sql,
    ask,
    made: async (path, json) => {
      const { status, text, body } = await ask('POST', path, { json })
      if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`)
      return body
    },
    close: async () => {
      await database.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
