import * as v from 'valibot'
import { capitalised } from '../capitalised.ts'
import type { ChecklistItem } from '../indexing/knowledge-items.ts'
import type { NewQuestion } from '../records/questions.ts'
import type { ItemState } from './gate.ts'
import { itemWords } from '../indexing/item-words.ts'
import type { Session } from './session.ts'

/** A request to be sent, once its body has the needed fields. */
export const todoSchema = v.object({
  what: v.string(),
  request: v.object({
    method: v.picklist(['GET', 'POST', 'PUT', 'PATCH']),
    path: v.pipe(v.string(), v.description("from the server's root")),
    body: v.optional(v.record(v.string(), v.unknown())),
    needs: v.optional(
      v.pipe(v.array(v.string()), v.description('fields to add to the body before it is sent')),
    ),
  }),
})

export type Todo = v.InferOutput<typeof todoSchema>

type TodoRequest = Todo['request']

/** @param path  below the API's prefix */
export function todo(
  what: string,
  method: TodoRequest['method'],
  path: string,
  rest: Pick<TodoRequest, 'body' | 'needs'> = {},
): Todo {
  return { what, request: { method, path: `/api/v1${path}`, ...rest } }
}

/** The category of a file's questions, by words in its path; the first match counts. */
const CATEGORIES: readonly (readonly [NewQuestion['category'], RegExp])[] = [
  ['compliance', /^(?:compliance|frameworks)\/|compliance/],
  ['identity', /iam|entra|identity|secrets|vault/],
  ['security', /security|protection\.md$|certificate/],
  ['dr', /disaster|backup|restore|protection-domains|split-brain|data-loss|single-points/],
  ['networking', /network|vpc|dns|load-balanc|neutron|nsx|consul|cdn/],
  ['storage', /storage|database|rds|sql|spanner|bigquery|ceph|cinder|vsan|caching/],
  ['monitoring', /observab|prometheus|alert|incident/],
  ['scaling', /capacity|performance|high-avail|cascading|sizing/],
  ['migration', /migration/],
  ['cost', /cost|licens/],
  ['compute', /compute|eks|gke|kubernetes|nova|vsphere|nomad|prism|hardware/],
  ['operations', /operation|deploy|upgrade|terraform|infrastructure-as|documentation|testing/],
]

/**
 * The next request for an item: ask a question, record its answer, record coverage of that
 * question.
 */
export function itemTodo({
  version,
  questions,
}: Session): (
  item: Pick<ItemState, 'file' | 'text' | 'coverageId'>,
  priority: ChecklistItem['priority'],
) => Todo {
  const path = `/versions/${version.id}`
  // Of equal questions the first counts.
  const asked = new Map(
    questions.toReversed().map(({ id, question_text: text }) => [itemWords(text), id] as const),
  )
  return ({ file, text, coverageId }, priority) => {
    const tag = `(${capitalised(priority)}, ${file})`
    const question_id = asked.get(itemWords(text))
    if (question_id === undefined) {
      const category = CATEGORIES.find(([, words]) => words.test(file))?.[0] ?? 'requirements'
      const body = { question_text: text, category }
      return todo(`Ask, and record coverage ${tag}: ${text}`, 'POST', `${path}/questions`, { body })
    }
    const state = { status: 'addressed', question_id }
    const what = `Record coverage ${tag}, or why it is put off or does not apply: ${text}`
    if (coverageId !== null) {
      return todo(what, 'PATCH', `${path}/coverage/${coverageId}`, { body: state })
    }
    const item = { knowledge_file: file, item_text: text, priority: capitalised(priority) }
    return todo(what, 'POST', `${path}/coverage/batch`, {
      body: { items: [{ ...item, ...state }] },
    })
  }
}
