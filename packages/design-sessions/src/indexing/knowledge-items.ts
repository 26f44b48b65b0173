import * as v from 'valibot'
import { named } from '../openapi.ts'
import { type Priority, priority } from '../records/suggestion.ts'
import type { Condition } from './conditions.ts'

/** What is searched: the library, or texts of a version. */
export const SOURCE_TYPES = [
  'knowledge_file',
  'upload',
  'decision',
  'question',
  'document',
] as const

/** Bytes of a query: a project's description. */
export const QUERY_BYTES_MAX = 8192

export type SourceType = (typeof SOURCE_TYPES)[number]

export const searchResult = named(
  'SearchResult',
  v.object({
    id: v.string(),
    source_file: v.string(),
    source_type: v.picklist([...SOURCE_TYPES, 'vendor_doc']),
    section: v.string(),
    checklist_item: v.nullable(v.string()),
    priority: v.nullable(priority),
    content: v.string(),
    /** 0-1; above 0.5 is relevant */
    score: v.number(),
    /** words of the query in the chunk, highest weight first */
    matched_terms: v.array(v.string()),
  }),
)

export type SearchResult = v.InferOutput<typeof searchResult>

export interface SearchRequest {
  readonly query: string
  readonly topK: number
  readonly minScore: number
  /** as in `source_file` */
  readonly excludeFiles?: readonly string[] | undefined
  readonly priority?: Priority | undefined
  /** whose texts are searched beside the library */
  readonly versionId?: string | undefined
  /** by default the library and uploads */
  readonly sourceTypes?: readonly SourceType[] | undefined
  /** by words alone, which takes a tenth of the time */
  readonly isFast?: boolean
}

/** A checklist item of a knowledge file. */
export interface ChecklistItem {
  /** path below the library's root, such as `general/security.md` */
  readonly file: string
  readonly section: string
  /** without its tag */
  readonly text: string
  readonly priority: Priority
  readonly condition: Condition
}

export const knowledgeFileSchema = named(
  'KnowledgeFile',
  v.object({ path: v.string(), name: v.string(), category: v.string() }),
)

export type KnowledgeFile = v.InferOutput<typeof knowledgeFileSchema>
