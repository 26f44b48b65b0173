import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { badRequest, body, notFound, query } from '../errors.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import {
  type KnowledgeFile,
  QUERY_BYTES_MAX,
  SOURCE_TYPES,
  type SearchRequest,
  knowledgeFileSchema,
  searchResult,
} from '../indexing/knowledge-items.ts'
import { knowledgeFile } from '../indexing/library.ts'
import { operation } from '../openapi.ts'
import { arrayOf, count, id, text } from '../tables/fields.ts'
import { priority } from '../records/suggestion.ts'
import { reindexRoutes } from './reindex.ts'

const RESULTS_MAX = 50
const EXCLUDED_MAX = 1000
const PATH_MAX = 1024

const NOT_INDEXED = 'The knowledge library is not indexed yet'

const NONE = [400, NOT_INDEXED] as const

const anyCase = v.pipe(v.string(), v.toLowerCase(), priority)
const queryText = v.pipe(text(QUERY_BYTES_MAX), v.maxBytes(QUERY_BYTES_MAX))

const sourceType = v.picklist(SOURCE_TYPES)

const searchBody = v.object({
  query: queryText,
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(RESULTS_MAX)), 10),
  min_score: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.3),
  exclude_files: v.optional(arrayOf(text(PATH_MAX), { max: EXCLUDED_MAX }), []),
  priority_filter: v.optional(v.nullable(anyCase), null),
  version_id: v.optional(v.nullable(id()), null),
  source_types: v.optional(
    v.nullable(
      v.pipe(
        arrayOf(sourceType, { min: 1, max: SOURCE_TYPES.length }),
        v.description('by default the library and, with version_id, its uploads'),
      ),
    ),
    null,
  ),
})

/** As programs print numbers, including `0.30000000000000004` and `1e-7`. */
const share = v.pipe(
  v.string(),
  v.regex(/^(?:\d|\d?\.\d{1,20})(?:e-\d{1,2})?$/i, 'must be a number from 0 to 1'),
  v.transform(Number),
  v.maxValue(1),
)

const searchQuery = v.object({
  q: queryText,
  top_k: v.optional(count(RESULTS_MAX), '10'),
  min_score: v.optional(share, '0.4'),
  priority: v.optional(anyCase),
  version_id: v.optional(id()),
  source_type: v.optional(sourceType),
})

const searchAnswer = v.object({
  results: v.array(searchResult),
  query: v.string(),
  total_results: v.number(),
})

const fileGroups = v.object({
  general: v.array(knowledgeFileSchema),
  failures: v.array(knowledgeFileSchema),
  patterns: v.array(knowledgeFileSchema),
  compliance: v.array(knowledgeFileSchema),
  frameworks: v.array(knowledgeFileSchema),
  providers: v.record(v.string(), v.array(knowledgeFileSchema)),
})

const fileContent = v.object({ path: v.string(), name: v.string(), content: v.string() })

/** The files of the library, and search. */
export function knowledgeRoutes({ knowledge }: Required<Pick<AppParts, 'knowledge'>>): Hono {
  const routes = new Hono()
  routes.get(
    '/knowledge',
    operation('listKnowledgeFiles', 'knowledge', {
      summary: 'List knowledge files',
      description: 'All files of the library, by group.',
      success: { status: 200, schema: fileGroups },
    }),
    async (context) => context.json(grouped(await knowledge.files())),
  )
  addSearches(routes, knowledge)
  routes.route('/', reindexRoutes({ knowledge }))
  // Last: it matches any path.
  routes.get(
    '/knowledge/:path{.+}',
    operation('readKnowledgeFile', 'knowledge', {
      summary: 'Read a knowledge file',
      description: 'The text of a file of the library, by its path.',
      success: { status: 200, schema: fileContent },
      errors: [
        [400, 'Invalid path'],
        [404, 'Knowledge file not found'],
      ],
    }),
    async (context) => {
      const path = context.req.param('path')
      if (!isPlain(path)) throw badRequest('Invalid path')
      const content = await knowledge.file(path)
      if (content === undefined) throw notFound('Knowledge file')
      return context.json({ path, name: knowledgeFile(path).name, content })
    },
  )
  return routes
}

function addSearches(routes: Hono, knowledge: Knowledge): void {
  const answer = async (context: Context, request: SearchRequest): Promise<Response> => {
    const results = await knowledge.search(request)
    if (!results) throw badRequest(NOT_INDEXED)
    return context.json({ results, query: request.query, total_results: results.length })
  }
  routes.post(
    '/knowledge/search',
    operation('searchKnowledge', 'knowledge', {
      summary: 'Search the knowledge',
      description:
        'Items and passages that match a text, best first. A score above 0.5 is relevant.',
      body: searchBody,
      success: { status: 200, schema: searchAnswer },
      errors: [NONE],
    }),
    async (context) => {
      const asked = await body(context, searchBody)
      return answer(context, {
        query: asked.query,
        topK: asked.top_k,
        minScore: asked.min_score,
        excludeFiles: asked.exclude_files,
        priority: asked.priority_filter ?? undefined,
        versionId: asked.version_id ?? undefined,
        sourceTypes: asked.source_types ?? undefined,
      })
    },
  )
  routes.get(
    '/knowledge/search',
    operation('searchKnowledgeByLink', 'knowledge', {
      summary: 'Search the knowledge by a link',
      description: 'The same search with its most frequent parameters in the query.',
      query: searchQuery,
      success: { status: 200, schema: searchAnswer },
      errors: [NONE],
    }),
    async (context) => {
      const asked = query(context, searchQuery)
      return answer(context, {
        query: asked.q,
        topK: asked.top_k,
        minScore: asked.min_score,
        priority: asked.priority,
        versionId: asked.version_id,
        sourceTypes: asked.source_type && [asked.source_type],
      })
    },
  )
}

const GROUPS = ['general', 'failures', 'patterns', 'compliance', 'frameworks'] as const

type Files = readonly KnowledgeFile[]

/** Files by their first directory; groups of the contract may be empty. */
function grouped(files: Files): Readonly<Record<string, Files | Record<string, Files>>> {
  const groups = Map.groupBy(files, ({ path, category }) =>
    path.split('/', 1)[0] === 'providers' ? 'providers' : category,
  )
  const { providers = [], ...others } = Object.fromEntries(groups)
  return {
    ...Object.fromEntries(GROUPS.map((group) => [group, []])),
    ...others,
    providers: Object.fromEntries(Map.groupBy(providers, ({ category }) => category)),
  }
}

/** Whether a path consists only of plain names. */
function isPlain(path: string): boolean {
  const isSafe = !/[\\\0%]/.test(path) && !path.startsWith('/')
  return isSafe && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}
