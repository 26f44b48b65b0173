import type { Knowledge } from '../indexing/knowledge.ts'
import { type Adr, adrText } from '../records/adrs.ts'
import type { NewCoverage } from '../records/coverage.ts'
import type { Question } from '../records/questions.ts'
import { itemWords, libraryPath } from '../indexing/item-words.ts'

type Covered = Pick<
  NewCoverage,
  'knowledge_file' | 'item_text' | 'status' | 'question_id' | 'reason'
>

type Asked = Pick<Question, 'id' | 'question_text' | 'answer_text' | 'status'>

type Decided = Parameters<typeof adrText>[0] & Pick<Adr, 'status'>

/** What a version holds to show that its items are addressed. */
export interface Records {
  readonly questions: readonly Asked[]
  readonly adrs: readonly Decided[]
}

/** Texts of a version whose files are searched; further ones prove what they name. */
const SEARCHED_MAX = 2000

/** A text, and the files of the library that it belongs to. */
interface Proof {
  readonly words: string
  readonly files: ReadonlySet<string>
}

/** Why a coverage record does not count; undefined when it does. */
export type Fault = (record: Covered) => string | undefined

/**
 * Checks coverage records: deferred and not applicable items need a reason; addressed ones need
 * their answered question, or a valid decision, that belongs to the item's file or names the item.
 */
export async function faultsOf(
  knowledge: Pick<Knowledge, 'filesAbout'> | undefined,
  { questions, adrs }: Records,
  records: readonly Covered[],
): Promise<Fault> {
  const addressed = records.filter(({ status }) => status === 'addressed')
  const users = Map.groupBy(addressed, ({ question_id: id }) => id)
  let searches = 0
  const proof = async (text: string, covered: readonly Covered[]): Promise<Proof> => {
    const words = itemWords(text)
    const isNamed = covered.every((record) => isNamedIn(words, record))
    if (isNamed || !knowledge || ++searches > SEARCHED_MAX) return { words, files: new Set() }
    return { words, files: await knowledge.filesAbout(text) }
  }
  const answers = new Map<string, Proof>()
  for (const { id, question_text, answer_text, status } of questions) {
    const covered = users.get(id)
    if (!covered || status !== 'answered' || !answer_text?.trim()) continue
    answers.set(id, await proof(`${question_text}\n${answer_text}`, covered))
  }
  const decisions: Proof[] = []
  const valid = adrs.filter(({ status }) => status === 'accepted' || status === 'proposed')
  for (const adr of valid) {
    if (addressed.length === 0) break
    decisions.push(await proof(adrText(adr), addressed))
  }
  return (record) => {
    const { status, reason, question_id: id } = record
    const file = libraryPath(record.knowledge_file)
    if (status === 'pending') return undefined
    if (status !== 'addressed') return reason?.trim() ? undefined : `${status} needs a reason`
    const shows = ({ words, files }: Proof): boolean => files.has(file) || isNamedIn(words, record)
    const answer = id === null ? undefined : answers.get(id)
    if ((answer && shows(answer)) || decisions.some(shows)) return undefined
    return `addressed needs an answered question, or a decision, that belongs to ${file}`
  }
}

/** Whether words contain a record's item or file. */
function isNamedIn(words: string, { item_text: item, knowledge_file: file }: Covered): boolean {
  const names = [itemWords(item), itemWords(libraryPath(file))]
  return names.some((name) => name !== '' && words.includes(name))
}
