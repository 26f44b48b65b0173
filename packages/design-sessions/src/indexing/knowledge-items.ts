export type Priority = 'critical' | 'recommended' | 'optional'

/** A checklist item or passage related to a text. */
export interface Suggestion {
  readonly source_file: string
  readonly checklist_item: string
  readonly priority: Priority | null
  /** 0-1; above 0.5 is relevant */
  readonly score: number
}

/** What is searched: the library, or texts of a version. */
export const SOURCE_TYPES = [
  'knowledge_file',
  'upload',
  'decision',
  'question',
  'document',
] as const

export type SourceType = (typeof SOURCE_TYPES)[number]

export interface SearchResult {
  readonly id: string
  readonly source_file: string
  readonly source_type: SourceType | 'vendor_doc'
  readonly section: string
  readonly checklist_item: string | null
  readonly priority: Priority | null
  readonly content: string
  /** 0-1; above 0.5 is relevant */
  readonly score: number
  /** words of the query in the chunk, highest weight first */
  readonly matched_terms: readonly string[]
}

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
}

/** A checklist item of a knowledge file. */
export interface ChecklistItem {
  /** path below the library's root, such as `general/security.md` */
  readonly file: string
  readonly section: string
  /** without its tag */
  readonly text: string
  readonly priority: Priority
}

export interface KnowledgeFile {
  readonly path: string
  readonly name: string
  readonly category: string
}
