// The app in process, over a database of its own.
import { createLogger } from '@orrery/http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type postgres from 'postgres'
import { createApp } from '../src/app.ts'
import { serviceConfig } from '../src/config.ts'
import type { Knowledge } from '../src/indexing/knowledge.ts'
import { openUploads } from '../src/records/upload-files.ts'
import type { Place } from './ask.ts'
import { openTables } from './indexing/fixture.ts'

/** An app that answers requests without a network. */
export interface DirectApp extends Place {
  readonly sql: postgres.Sql
  close(): Promise<void>
}

/** @param knowledge  the index to search; none by default */
export async function openApp(knowledge?: Knowledge): Promise<DirectApp> {
  const root = mkdtempSync(join(tmpdir(), 'orrery-direct-app-'))
  const database = await openTables()
  const app = createApp({
    sql: database.sql,
    config: serviceConfig({ DATA_DIR: root }),
    logger: createLogger({ level: 'fatal', destination: 'stderr' }),
    uploads: await openUploads(join(root, 'files')),
    ...(knowledge && { knowledge }),
  })
  return {
    url: 'http://localhost',
    request: async (url, init) => app.request(url, init),
    sql: database.sql,
    close: async () => {
      await database.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
