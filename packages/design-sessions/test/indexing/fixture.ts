// A knowledge service over a real database, and small libraries for it.
import type { Database } from '@orrery/database'
import { createLogger } from '@orrery/http'
import { openFreshDatabase } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import {
  type Knowledge,
  type KnowledgeOptions,
  openKnowledge as open,
} from '../../src/indexing/knowledge.ts'
import type { ReindexOptions } from '../../src/indexing/reindexing.ts'
import { until } from '../until.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)

/** The library that the service ships. */
export const OWN_LIBRARY: string = fileURLToPath(new URL('../../knowledge', import.meta.url))

/** A new temporary directory. */
export function directory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'orrery-knowledge-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes texts by path below a root. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** A database with all tables, on the server that the files of a test process share. */
export function openTables(): Promise<Database> {
  return openFreshDatabase({ schema: 'design_sessions', migrations: MIGRATIONS })
}

/** A database for the tests of one file. */
export interface TestTables {
  readonly sql: Database['sql']
  /** a temporary directory, removed with the database */
  readonly path: string
}

/** Opens a database before the tests of a file, and removes it after them. */
export function useTables(): TestTables {
  const data = directory()
  let database: Database | undefined
  beforeAll(async () => {
    database = await openTables()
  })
  afterAll(async () => {
    await database?.close()
    data.remove()
  })
  return {
    path: data.path,
    get sql() {
      if (database === undefined) throw new Error('The database has not been opened')
      return database.sql
    },
  }
}

/** Creates a version, its project, and a client with that name and slug. */
export async function newVersion(sql: Database['sql'], client: string): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`
    with new_client as (insert into client (name, slug) values (${client}, ${client}) returning id),
      new_project as (insert into project (client_id, name, slug, status)
        select id, 'p', 'p', 'draft' from new_client returning id)
    insert into version (project_id, version_number, sort_key, status)
    select id, '1.0.0', '1', 'draft' from new_project returning id`
  return id
}

const logger = createLogger({ level: 'fatal', destination: 'stderr', secrets: [] })

/** Each vector takes time. */
export const OTHER_TOPICS: readonly string[] = ['soup with cumin and lemon', 'a sonnet about snow']

/** A knowledge service that indexes only on request. */
export function openKnowledge(
  options: Pick<KnowledgeOptions, 'sql' | 'directory'> & Partial<KnowledgeOptions>,
): Promise<Knowledge> {
  const uploads = { path: (id: string) => join(options.directory, '..', 'uploads', id) }
  return open({ uploads, automatic: false, logger, otherTopics: OTHER_TOPICS, ...options })
}

/** Waits for the end of the current run. */
export async function ended(knowledge: Knowledge): ReturnType<Knowledge['status']> {
  return until(
    () => knowledge.status(),
    ({ reindexing }) => !reindexing,
  )
}

/** Runs one reindex to its end. */
export async function reindexed(
  knowledge: Knowledge,
  options?: ReindexOptions,
): ReturnType<Knowledge['status']> {
  knowledge.reindexing.start(options)
  return ended(knowledge)
}

/** Files whose reindex takes long enough to be paused. */
export function manyFiles(): Record<string, string> {
  const items = Array.from({ length: 200 }, (_, i) => `Is the crane ${i} of the harbour greased?`)
  const file = knowledgeFile('Cranes', items)
  return Object.fromEntries(
    Array.from({ length: byTier({ gate: 10, night: 50 }) }, (_, i) => [`failures/${i}.md`, file]),
  )
}

/** Starts a reindex and holds it by a pause. */
export function heldRun({ reindexing }: Knowledge, options: ReindexOptions = {}): void {
  reindexing.start({ force: true, ...options })
  reindexing.pause()
}

/** A knowledge file with some items. */
export function knowledgeFile(title: string, items: readonly string[]): string {
  const lines = items.map((item) => `- [ ] **[Critical]** ${item}`)
  return `# ${title}\n\n## Checklist\n\n${lines.join('\n')}\n`
}
