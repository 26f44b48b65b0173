import type { ChecklistItem } from '../indexing/knowledge.ts'
import type { NewQuestion, Question } from '../records/questions.ts'
import { type ItemState, itemWords } from './gate.ts'
import { type Todo, todo } from './todo.ts'

/** What a file asks about, by words of its path; the first that fits. */
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
 * How an item gets settled: it is asked for, then answered, then recorded as coverage of that
 * question. Who asks in other words records coverage at once.
 *
 * @param path  of the version
 */
export function itemTodo(
  path: string,
  { file, text, coverageId }: ItemState,
  priority: ChecklistItem['priority'],
  questions: readonly Question[],
): Todo {
  const tag = `(${capitalised(priority)}, ${file})`
  const asked = questions.find(({ question_text }) => itemWords(question_text) === itemWords(text))
  if (!asked) {
    const category = CATEGORIES.find(([, words]) => words.test(file))?.[0] ?? 'requirements'
    const body = { question_text: text, category }
    return todo(`Ask, and record coverage ${tag}: ${text}`, 'POST', `${path}/questions`, { body })
  }
  const state = { status: 'addressed', question_id: asked.id }
  const what = `Record coverage ${tag}, or why it is put off or does not apply: ${text}`
  return coverageId === null
    ? todo(what, 'POST', `${path}/coverage`, {
        body: { knowledge_file: file, item_text: text, priority: capitalised(priority), ...state },
      })
    : todo(what, 'PATCH', `${path}/coverage/${coverageId}`, { body: state })
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
