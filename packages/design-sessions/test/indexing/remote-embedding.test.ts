// Goal: an external embedding service can replace ours, is called for new chunks only, and its
// answers are validated. Method: a small embedding service on this machine that records its calls
// and can return invalid answers.
import { type Server, createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import { knowledgeFile, openKnowledge, reindexed, useTables, writeFiles } from './fixture.ts'
import '../patience.ts'

const ITEMS = Array.from({ length: 100 }, (_, i) => `Is cat number ${i} fed?`)

const tables = useTables()
const root = join(tables.path, 'library')
const asked: { input: readonly string[]; model: string; authorization: string | undefined }[] = []
let misbehaviour: ((input: readonly string[]) => { status: number; body: string }) | undefined
let server: Server
let base: string

/** Five numbers, not a multiple of four; texts about cats and others have different directions. */
function vector(text: string): number[] {
  return [text.includes('cat') ? 3 : 0, /dog|gate/.test(text) ? 3 : 0, 0.5, 0, text.length / 1e4]
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => void parts.push(part))
    request.on('end', () => {
      const { input, model } = JSON.parse(Buffer.concat(parts).toString())
      asked.push({ input, model, authorization: request.headers.authorization })
      const reversed = [...input.keys()].toReversed()
      const embeddings = reversed.map((index) => ({ index, embedding: vector(input[index]) }))
      const { status, body } = misbehaviour?.(input) ?? {
        status: 200,
        body: JSON.stringify({ data: embeddings }),
      }
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`
  writeFiles(root, {
    'general/cats.md': knowledgeFile('Cats', ITEMS),
    'general/gates.md': knowledgeFile('Gates', ['Who shuts the gate?']),
  })
})

afterAll(() => {
  server.close()
})

function open(model: string): Promise<Knowledge> {
  return openKnowledge({ sql: tables.sql, directory: root, remote: { base, model, key: 'k3y' } })
}

test('embeds in batches, searches by meaning, and embeds only new chunks again', async () => {
  const knowledge = await open('small')
  expect(await reindexed(knowledge)).toMatchObject({ indexed: true, total_embeddings: 101 })
  expect(asked.map(({ input }) => input.length)).toEqual([64, 37])
  expect(asked[0]).toMatchObject({ model: 'small', authorization: 'Bearer k3y' })
  // The query and the hit share no word.
  const [found] = (await knowledge.search({ query: 'dog', topK: 1, minScore: 0.5 })) ?? []
  expect(found.source_file).toBe('general/gates.md')
  expect(asked.at(-1)?.input).toEqual(['dog'])
  writeFiles(root, { 'general/gates.md': knowledgeFile('Gates', ['Who opens the gate?']) })
  await reindexed(knowledge)
  expect(asked.at(-1)?.input).toEqual(['Gates\nChecklist\nWho opens the gate?'])
  await knowledge.close()
})

test('another model needs a new index', async () => {
  const other = await open('large')
  expect(await other.search({ query: 'dog', topK: 1, minScore: 0 })).toBeUndefined()
  expect(await other.status()).toMatchObject({ indexed: false })
  const before = asked.length
  expect(await reindexed(other)).toMatchObject({ indexed: true })
  expect(asked.slice(before).map(({ input }) => input.length)).toEqual([64, 37])
  await other.close()
})

test.each([
  ['an error', () => ({ status: 500, body: 'secret of the service' })],
  ['a redirection', () => ({ status: 302, body: '' })],
  ['no JSON', () => ({ status: 200, body: '<html>' })],
  ['too few vectors', () => ({ status: 200, body: '{"data":[]}' })],
  [
    'vectors of several lengths',
    (input: readonly string[]) => {
      const data = input.map((_, index) => ({
        index,
        embedding: index === 0 ? [1] : [1, 2, 3, 4, 5],
      }))
      return { status: 200, body: JSON.stringify({ data }) }
    },
  ],
  ['too much', () => ({ status: 200, body: ' '.repeat(17_000_000) })],
])('%s is a failure that leaves the old index', async (_, answer) => {
  const knowledge = await open('large')
  misbehaviour = answer
  const failed = await reindexed(knowledge, { force: true })
  const search = knowledge.search({ query: 'cat', topK: 1, minScore: 0.5 })
  await expect(search).rejects.toMatchObject({ status: 503 })
  misbehaviour = undefined
  expect(failed).toMatchObject({ indexed: true, total_embeddings: 101 })
  expect(failed.reindex_last_error).toEqual(expect.any(String))
  expect(failed.reindex_last_error).not.toContain('secret')
  const found = await knowledge.search({ query: 'cat', topK: 1, minScore: 0.5 })
  expect(found).toHaveLength(1)
  await knowledge.close()
})
