// Sections 1.2 and 1.6: the library, and searching it.
import { expect } from 'vitest'
import { type Json, NO_ID, created, newSession } from '../ask.ts'
import { type Cases, answers, change, idleIndex, missing, read, refuses, rejects } from './case.ts'

const SEARCH = '/knowledge/search'
const REINDEX = '/knowledge/reindex'
const THREAT = 'Has a threat model been drawn for every trust boundary?'

const RESULT_FIELDS = [
  'checklist_item',
  'content',
  'id',
  'matched_terms',
  'priority',
  'score',
  'section',
  'source_file',
  'source_type',
]

export const knowledge: Cases = {
  '1.2 GET /knowledge': async (stage) => {
    const groups = await read(stage, '/knowledge')
    const listGroups = ['general', 'failures', 'patterns', 'compliance', 'frameworks']
    expect(Object.keys(groups)).toEqual([...listGroups, 'providers'])
    const { providers, ...lists } = groups
    for (const files of [...Object.values<Json>(lists), ...Object.values<Json>(providers)]) {
      expect(files.length).toBeGreaterThan(0)
      expect(Object.keys(files[0]).toSorted()).toEqual(['category', 'name', 'path'])
    }
  },
  '1.2 GET /knowledge/{path}': async (stage) => {
    const { providers } = await read(stage, '/knowledge')
    const [{ path, name, category }] = providers.aws
    expect({ path, category }).toEqual({ path: 'providers/aws/compute.md', category: 'aws' })
    const content = expect.stringMatching(/^# /)
    expect(await read(stage, `/knowledge/${path}`)).toEqual({ path, name, content })
    for (const bad of [
      '..%2fpackage.json',
      'general/..%2f..%2fpackage.json',
      'general%2f..%2f..%2fpackage.json',
      'general%5cx.md',
      'general%5c..%5cpackage.json',
      '%2fetc%2fpasswd',
      '%2Fetc/passwd',
      'general%252fsecurity.md',
      'general/security.md%00.png',
      'general//security.md',
    ]) {
      await answers(stage, ['GET', `/knowledge/${bad}`], { status: 400, body: 'Invalid path' })
    }
    for (const none of ['general/none.md', 'README.md']) {
      await missing(stage, ['GET', `/knowledge/${none}`], 'Knowledge file')
    }
  },
  '1.2 POST /knowledge/search': async (stage) => {
    await idleIndex(stage)
    const found = await answers(stage, ['POST', SEARCH, { query: THREAT, top_k: 20 }], {
      status: 200,
    })
    expect(found.results.map((one: Json) => one.source_file)).toContain('general/security.md')
    await rejects(stage, ['POST', SEARCH, {}], 'body', 'query')
  },
  '1.2 GET /knowledge/search': async (stage) => {
    await idleIndex(stage)
    const q = encodeURIComponent(THREAT)
    const link = `${SEARCH}?q=${q}&top_k=3&min_score=0.2&priority=critical`
    const sent = { query: THREAT, top_k: 3, min_score: 0.2, priority_filter: 'critical' }
    const found = await answers(stage, ['POST', SEARCH, sent], { status: 200 })
    await answers(stage, ['GET', link], { status: 200, body: found })
    expect(await read(stage, link.replace('0.2', '.2'))).toEqual(found)
    for (const score of ['0.30000000000000004', '1e-7', '1.0', '']) {
      await read(stage, `${SEARCH}?q=x&priority=&min_score=${score}`)
    }
    const few = await read(stage, `${SEARCH}?q=${q}`)
    expect(few.results.every((one: Json) => one.score >= 0.4)).toBe(true)
    await rejects(stage, ['GET', SEARCH], 'query', 'q')
    for (const bad of ['top_k=51', 'min_score=2', 'min_score=1e9', 'priority=none']) {
      await rejects(stage, ['GET', `${SEARCH}?q=x&${bad}`], 'query', bad.split('=')[0])
    }
  },
  '1.6 request': async (stage) => {
    await idleIndex(stage)
    await refuses(stage, ['POST', SEARCH, { query: 'x' }], {
      // At most 8192 bytes, not characters.
      query: [null, 1, 'x'.repeat(8193), 'ö'.repeat(4097), 'a\0b'],
      top_k: [0, 51, 1.5, '5'],
      min_score: [-0.1, 1.1, '0.5'],
      exclude_files: ['general/security.md', [1], Array.from({ length: 1001 }, String)],
      priority_filter: ['high', 'urgent'],
      version_id: ['x'],
    })
    // Bounds are inclusive, and a version without uploads is no error.
    await answers(
      stage,
      [
        'POST',
        SEARCH,
        {
          query: 'ö'.repeat(4096),
          top_k: 50,
          min_score: 1,
          exclude_files: Array.from({ length: 1000 }, String),
          version_id: NO_ID,
        },
      ],
      { status: 200 },
    )
    const file = 'general/security.md'
    const sent = { query: THREAT, min_score: 0, top_k: 50, exclude_files: [file] }
    const { results } = await answers(stage, ['POST', SEARCH, sent], { status: 200 })
    expect(results).toHaveLength(50)
    expect(results.map((one: Json) => one.source_file)).not.toContain(file)
    for (const priority of ['critical', 'recommended', 'optional', 'CRITICAL']) {
      const filtered = { query: THREAT, min_score: 0, priority_filter: priority }
      const found = await answers(stage, ['POST', SEARCH, filtered], { status: 200 })
      expect(new Set(found.results.map((one: Json) => one.priority))).toEqual(
        new Set([priority.toLowerCase()]),
      )
      expect(found.results).toHaveLength(10)
    }
    const nothing = { results: [], query: '', total_results: 0 }
    await answers(stage, ['POST', SEARCH, { query: '' }], { status: 200, body: nothing })
  },
  '1.6 response': async (stage) => {
    await idleIndex(stage)
    const query = 'backups of databases, and restoring them'
    const found = await answers(stage, ['POST', SEARCH, { query, top_k: 50 }], { status: 200 })
    expect(Object.keys(found).toSorted()).toEqual(['query', 'results', 'total_results'])
    expect([found.query, found.total_results]).toEqual([query, found.results.length])
    const scores = found.results.map((one: Json) => one.score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    // Scores have four decimals.
    expect(scores.some((score: number) => Math.round(score * 1000) / 1000 !== score)).toBe(true)
    for (const result of found.results) {
      expect(Object.keys(result).toSorted()).toEqual(RESULT_FIELDS)
      expect(result.score).toBeGreaterThanOrEqual(0.3)
      expect(result.score).toBeLessThanOrEqual(1)
    }
  },
  '1.6 not indexed': async (stage) => {
    await idleIndex(stage)
    await answers(stage, ['POST', `${REINDEX}/clear`], { status: 200 })
    const refused = await answers(stage, ['POST', SEARCH, { query: THREAT }], { status: 400 })
    expect(refused.detail).toContain('not indexed')
    await answers(stage, ['GET', `${SEARCH}?q=x`], { status: 400 })
    const { path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: THREAT })
    expect(question.suggestions).toEqual([])
  },
  '1.6 suggestions': async (stage) => {
    await idleIndex(stage)
    const { path } = await newSession(stage)
    const asked = await created(stage, `${path}/questions`, { question_text: THREAT })
    const place = `${path}/questions/${asked.id}`
    const answer_text = 'How are backups restored, and who tests the restore?'
    const answered = await change(stage, place, { answer_text })
    for (const { suggestions } of [asked, answered]) {
      expect(suggestions.length).toBeGreaterThan(0)
      expect(suggestions.length).toBeLessThanOrEqual(5)
      for (const { score, checklist_item } of suggestions) {
        expect(score).toBeGreaterThanOrEqual(0.4)
        expect(checklist_item).not.toBe('')
      }
    }
    // The query is the question together with its answer.
    expect(answered.suggestions).not.toEqual(asked.suggestions)
  },
  '1.2 POST /chat': async (stage) => {
    // Left out on purpose: assistants use the tools at /mcp.
    await answers(stage, ['POST', '/chat', {}], { status: 404, body: 'Not Found' })
  },
}
