import { itemKey } from '../workflow/gate.ts'
import type {
  AdrRow,
  ArtifactRow,
  CoverageRow,
  InventoryRow,
  QuestionRow,
  UploadRow,
} from './version-rows.ts'

/** How records of a kind are told apart. */
export interface Identity<Row> {
  /** two records with an equal key are one and the same; the surest key first */
  readonly keys: readonly ((row: Row) => string)[]
  /** what tells people which one it is */
  readonly named: readonly (keyof Row & string)[]
  /** what may differ */
  readonly compared: readonly (keyof Row & string)[]
}

export const DECISIONS: Identity<AdrRow> = {
  // Clones keep their numbers, unless one was taken: then titles tell.
  keys: [
    ({ adr_number: number, title }) => `${number} ${title}`,
    ({ title }) => title,
    ({ adr_number: number }) => String(number),
  ],
  named: ['adr_number', 'title', 'status'],
  compared: [
    'adr_number',
    'title',
    'status',
    'superseded_by',
    'context',
    'decision',
    'consequences',
  ],
}

export const QUESTIONS: Identity<QuestionRow> = {
  keys: [({ question_text: text }) => text],
  named: ['question_text', 'category', 'status'],
  compared: ['category', 'status', 'answer_text'],
}

export const ARTIFACTS: Identity<ArtifactRow> = {
  keys: [({ artifact_type: type, name }) => `${type} ${name}`],
  named: ['name', 'artifact_type', 'detail_level', 'engine'],
  compared: ['detail_level', 'engine', 'sort_order', 'source_code'],
}

export const COVERAGE: Identity<CoverageRow> = {
  keys: [({ knowledge_file: file, item_text: text }) => itemKey(file, text)],
  named: ['knowledge_file', 'item_text', 'priority', 'status'],
  compared: ['priority', 'status', 'reason', 'question'],
}

export const INVENTORY: Identity<InventoryRow> = {
  keys: [({ name }) => name],
  named: ['name', 'data_type'],
  compared: ['data_type', 'sort_order', 'description', 'data'],
}

export const UPLOADS: Identity<UploadRow> = {
  keys: [
    ({ file_size: size, original_filename: name }) => `${size} ${name}`,
    ({ original_filename: name }) => name,
  ],
  named: ['original_filename', 'file_size', 'content_type'],
  compared: ['file_size', 'content_type'],
}
