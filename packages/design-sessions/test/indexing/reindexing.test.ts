// Goal: a reindex updates what has changed and nothing else, can be steered, and never leaves a
// smaller index. Method: small libraries in a real database; runs are held by pausing them.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import {
  ended,
  heldRun,
  knowledgeFile,
  manyFiles,
  openKnowledge,
  reindexed,
  useTables,
  writeFiles,
} from './fixture.ts'

const tables = useTables()
let root: string
let knowledge: Knowledge

const FILES = {
  'general/backups.md': knowledgeFile('Backups', ['Is a restore timed?', 'Are copies elsewhere?']),
  'general/walls.md': knowledgeFile('Walls', ['Who may open the firewall?']),
  'providers/aws/buckets.md': knowledgeFile('Buckets', ['Is public access blocked?']),
}

beforeEach(async (context) => {
  root = join(tables.path, context.task.id)
  writeFiles(root, FILES)
  knowledge = await openKnowledge({ sql: tables.sql, directory: root })
})

afterEach(async () => {
  await knowledge.close()
  await tables.sql`
    update knowledge_run set timeout_seconds = null, last_indexed_at = null, last_result = null`
})

async function sources(query: string): Promise<readonly string[]> {
  const found = await knowledge.search({ query, topK: 50, minScore: 0.3 })
  return [...new Set((found ?? []).map(({ source_file }) => source_file))]
}

describe('what is indexed', () => {
  test('before the first run nothing is found and the status is not indexed', async () => {
    expect(await knowledge.search({ query: 'x', topK: 1, minScore: 0 })).toBeUndefined()
    expect(await knowledge.suggestions('restore')).toEqual([])
    expect(await knowledge.status()).toMatchObject({ indexed: false, total_embeddings: 0 })
  })

  test('only changed items count as indexed; force indexes everything again', async () => {
    const counted = async (force = false): Promise<number | undefined> => {
      const { reindex_last_result: result, indexed } = await reindexed(knowledge, { force })
      expect(indexed).toBe(true)
      expect(result).toMatchObject({ status: 'completed', errors: [] })
      return result?.checklist_items_indexed
    }
    expect(await counted()).toBe(4)
    expect(await counted()).toBe(0)
    writeFiles(root, { 'general/walls.md': knowledgeFile('Walls', ['Who may shut the gate?']) })
    expect(await counted()).toBe(1)
    expect(await sources('shut the gate')).toEqual(['general/walls.md'])
    expect(await counted(true)).toBe(4)
  })

  test('a moved file is found in its new place, a removed one nowhere', async () => {
    await reindexed(knowledge)
    const [{ id }] = (await knowledge.search({ query: 'firewall', topK: 1, minScore: 0 })) ?? []
    mkdirSync(join(root, 'failures'))
    renameSync(join(root, 'general/backups.md'), join(root, 'failures/backups.md'))
    rmSync(join(root, 'providers'), { recursive: true })
    await reindexed(knowledge)
    expect(await sources('is a restore timed')).toEqual(['failures/backups.md'])
    expect(await sources('public access blocked')).toEqual([])
    const [untouched] = (await knowledge.search({ query: 'firewall', topK: 1, minScore: 0 })) ?? []
    expect(untouched.id).toBe(id)
    expect(await knowledge.status()).toMatchObject({ total_embeddings: 3, knowledge_file_count: 2 })
  })

  test('links and files about the library are ignored; unreadable files are reported', async () => {
    writeFiles(root, { 'README.md': FILES['general/walls.md'], 'general/references.md': '# R\nx' })
    writeFiles(root, { 'general/huge.md': `# Huge\n${'x '.repeat(1_100_000)}` })
    writeFileSync(join(tables.path, 'secret.md'), '# Secret\nsecret')
    symlinkSync(join(tables.path, 'secret.md'), join(root, 'general/secret.md'))
    symlinkSync(tables.path, join(root, 'general/outside'))
    expect(await knowledge.file('general/secret.md')).toBeUndefined()
    expect(await knowledge.file('README.md')).toBeUndefined()
    const { reindex_last_result: result } = await reindexed(knowledge)
    expect(result?.files_processed).toBe(3)
    expect(result?.errors).toEqual([expect.stringMatching(/^general\/huge\.md: .*2 MiB/)])
  })

  test('a missing library is an error that keeps the old index', async () => {
    await reindexed(knowledge)
    renameSync(root, `${root}-gone`)
    const { reindex_last_error, reindex_last_result, indexed } = await reindexed(knowledge)
    expect(reindex_last_error).toMatch(/ENOENT/)
    expect({ reindex_last_result, indexed }).toEqual({ reindex_last_result: null, indexed: true })
  })

  test('clear removes everything', async () => {
    await reindexed(knowledge)
    expect(await knowledge.clear()).toBe(4)
    expect(await knowledge.status()).toMatchObject({ indexed: false, last_indexed_at: null })
    expect(await knowledge.search({ query: 'restore', topK: 1, minScore: 0 })).toBeUndefined()
  })
})

describe('steering', () => {
  const refused = expect.objectContaining({ status: 409 })

  beforeEach(() => writeFiles(root, manyFiles()))

  test('a paused run leaves the old index searchable, and ends once resumed', async () => {
    await reindexed(knowledge)
    writeFiles(root, { 'general/new.md': knowledgeFile('New', ['Is the lighthouse lit?']) })
    heldRun(knowledge)
    expect(() => knowledge.reindexing.pause()).toThrow(refused)
    expect(() => knowledge.reindexing.start()).toThrow(refused)
    await expect(knowledge.clear()).rejects.toThrow(refused)
    expect(await knowledge.status()).toMatchObject({
      indexed: true,
      reindexing: true,
      paused: true,
    })
    expect(await sources('lighthouse')).toEqual([])
    expect(await sources('is a restore timed')).toEqual(['general/backups.md'])
    knowledge.reindexing.resume()
    const { reindex_last_result: result } = await ended(knowledge)
    expect(result).toMatchObject({ status: 'completed' })
    expect(await sources('lighthouse')).toEqual(['general/new.md'])
  })

  test('a stopped run leaves the index as it was', async () => {
    const { total_embeddings: total } = await reindexed(knowledge)
    const before = await sources('restore')
    heldRun(knowledge)
    rmSync(join(root, 'general'), { recursive: true })
    knowledge.reindexing.stop()
    const status = await ended(knowledge)
    expect(status.reindex_last_result?.status).toBe('cancelled')
    expect(status).toMatchObject({ indexed: true, total_embeddings: total, paused: false })
    expect(await sources('restore')).toEqual(before)
  })

  test('a run that takes too long is given up', async () => {
    heldRun(knowledge, { timeoutSeconds: 1 })
    expect(await knowledge.status()).toMatchObject({ reindex_timeout: 1 })
    const { reindex_last_result } = await ended(knowledge)
    expect(reindex_last_result?.status).toBe('timed_out')
  })

  test('closing ends the run; its end and the index are there after the next start', async () => {
    await reindexed(knowledge)
    const before = await sources('is a restore timed')
    heldRun(knowledge)
    await knowledge.close()
    const next = await openKnowledge({ sql: tables.sql, directory: root })
    expect(await next.status()).toMatchObject({
      indexed: true,
      reindexing: false,
      reindex_last_error: 'The service was stopped',
    })
    const found = await next.search({ query: 'is a restore timed', topK: 50, minScore: 0.3 })
    expect(found?.map(({ source_file }) => source_file)).toEqual(before)
  })

  test('of many concurrent starts one runs', async () => {
    knowledge.reindexing.start()
    for (let i = 0; i < 7; i++) expect(() => knowledge.reindexing.start()).toThrow(refused)
    expect((await ended(knowledge)).indexed).toBe(true)
  })

  test('a request joins the run of a start; the next one is refused', async () => {
    const automatic = await openKnowledge({ sql: tables.sql, directory: root, automatic: true })
    automatic.reindexing.pause()
    automatic.reindexing.start({ force: true })
    expect(() => automatic.reindexing.start()).toThrow(refused)
    automatic.reindexing.resume()
    expect((await ended(automatic)).indexed).toBe(true)
    await automatic.close()
  })
})
