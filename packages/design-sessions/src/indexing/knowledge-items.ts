/** How much an item matters. */
export type Priority = 'critical' | 'recommended' | 'optional'

/** A checklist item or passage that a text reminds of. */
export interface Suggestion {
  readonly source_file: string
  readonly checklist_item: string
  readonly priority: Priority | null
  /** 0-1; above 0.5 is relevant */
  readonly score: number
}

/** What a search found. */
export interface SearchResult {
  readonly id: string
  readonly source_file: string
  readonly source_type: 'knowledge_file' | 'vendor_doc' | 'upload'
  readonly section: string
  readonly checklist_item: string | null
  readonly priority: Priority | null
  readonly content: string
  /** 0-1; above 0.5 is relevant */
  readonly score: number
  /** words of the query that stand in it, the most telling first */
  readonly matched_terms: readonly string[]
}

export interface SearchRequest {
  readonly query: string
  readonly topK: number
  readonly minScore: number
  /** exactly as `source_file` names them */
  readonly excludeFiles?: readonly string[] | undefined
  readonly priority?: Priority | undefined
  /** whose uploads are searched as well */
  readonly versionId?: string | undefined
}

/** An item that a knowledge file wants addressed. */
export interface ChecklistItem {
  /** path below the library's root, such as `general/security.md` */
  readonly file: string
  readonly section: string
  /** without its tag */
  readonly text: string
  readonly priority: Priority
}

/** A file of the library. */
export interface KnowledgeFile {
  readonly path: string
  readonly name: string
  readonly category: string
}
