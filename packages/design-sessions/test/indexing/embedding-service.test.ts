// Goal: vectors may come from a service at an address; when it fails the words are left, and it is
// asked again. Method: a small server of that protocol over HTTP, whose vectors count subjects.
import { Secret } from '@orrery/http'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serviceConfig } from '../../src/config.ts'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import { EmbeddingService } from '../../src/sentences/embedding-service.ts'
import { until } from '../until.ts'
import { knowledgeFile, openKnowledge, reindexed, useTables, writeFiles } from './fixture.ts'

/** Words of a subject, a number of the vectors. */
const SUBJECTS = [/thieves|Einbrecher/, /wages|Gehalt/, /fans|Lärm/, /walls|Wände/]

const ITEMS = {
  'general/doors.md': 'Do thieves find the entrance locked?',
  'general/pay.md': 'Can wages be seen by the personnel office alone?',
  'general/noise.md': 'How loud are the fans?',
  'general/paint.md': 'Which colour do the walls have?',
}

interface Asked {
  readonly model: string
  readonly input: readonly string[]
}

const tables = useTables()
const asked: (Asked & { readonly authorization: string | undefined })[] = []
let status = 200
let server: Server
let url = ''
let knowledge: Knowledge

function vectorOf(text: string): number[] {
  return [0.1, ...SUBJECTS.map((words) => (words.test(text) ? 1 : 0))]
}

async function embedded(request: IncomingMessage): Promise<string> {
  const { model, input } = (await json(request)) as Asked
  asked.push({ model, input, authorization: request.headers.authorization })
  // The order of an answer is free.
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed()
  return JSON.stringify({ data })
}

beforeAll(async () => {
  for (const [path, item] of Object.entries(ITEMS)) {
    writeFiles(join(tables.path, 'library'), { [path]: knowledgeFile('File', [item]) })
  }
  server = createServer((request, response) => {
    void embedded(request).then((answer) => response.writeHead(status).end(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`
})

afterEach(async () => {
  await knowledge.close()
  status = 200
})

afterAll(() => {
  server.close()
})

async function open(model: string): Promise<void> {
  const options = { url, model, key: new Secret('key of ours'), retryMs: 50 }
  knowledge = await openKnowledge({
    sql: tables.sql,
    directory: join(tables.path, 'library'),
    model: new EmbeddingService(options),
  })
  await reindexed(knowledge)
}

function reached(state: 'ready' | 'unavailable'): ReturnType<Knowledge['status']> {
  return until(
    () => knowledge.status(),
    ({ vectors }) => vectors.state === state,
  )
}

async function first(query: string): Promise<string | undefined> {
  const found = await knowledge.search({ query, topK: 4, minScore: 0 })
  return found?.[0].source_file
}

test('a query in any language finds what the service says it means', async () => {
  await open('small')
  expect((await reached('ready')).vectors.made).toBe(6)
  expect(await first('Gehalt')).toBe('general/pay.md')
  expect(await first('Einbrecher')).toBe('general/doors.md')
  expect(asked[0]).toEqual({
    model: 'small',
    input: expect.arrayContaining(Object.values(ITEMS)),
    authorization: 'Bearer key of ours',
  })
})

test('vectors of one model are kept, and made again for another one', async () => {
  asked.length = 0
  await open('small')
  await reached('ready')
  expect(new Set(asked.flatMap(({ input }) => input))).toEqual(new Set(['ready']))
  await knowledge.close()
  await open('large')
  await reached('ready')
  expect(asked.map(({ model, input }) => [model, input.length])).toContainEqual(['large', 6])
})

test('a service that fails leaves the words, and is asked again', async () => {
  await tables.sql`delete from chunk_vector`
  status = 503
  await open('small')
  const { vectors } = await reached('unavailable')
  expect(vectors.error).toBe('the embedding service answered 503')
  expect(await first('colour of the walls')).toBe('general/paint.md')
  status = 200
  await reached('ready')
  expect(await first('Gehalt')).toBe('general/pay.md')
})

test('the address needs a model', () => {
  const variables = { KNOWLEDGE_EMBEDDINGS_URL: url }
  expect(() => serviceConfig(variables)).toThrow(/needs KNOWLEDGE_EMBEDDINGS_MODEL/)
  const config = serviceConfig({ ...variables, KNOWLEDGE_EMBEDDINGS_MODEL: 'small' })
  expect(config.embeddings).toMatchObject({ url, model: 'small' })
  expect(serviceConfig({}).embeddings).toBeUndefined()
})
