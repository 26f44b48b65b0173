import type { Knowledge } from '../indexing/knowledge.ts'
import { type Adr, adrText } from '../records/adrs.ts'
import type { NewCoverage } from '../records/coverage.ts'
import type { Question } from '../records/questions.ts'
import { itemWords, libraryPath, itemKey } from '../indexing/item-words.ts'
import type postgres from 'postgres'
import { type Unprocessable, unprocessable } from '../errors.ts'

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

/** Faults named in one refusal. */
const NAMED_MAX = 20

/** @throws {HttpError} 422 for unknown files and items, and for states without what they need */
export async function checkBatch(
  { sql, knowledge }: { readonly sql: postgres.Sql; readonly knowledge: Knowledge },
  versionId: string,
  items: readonly NewCoverage[],
): Promise<void> {
  const files = new Set((await knowledge.files()).map(({ path }) => path))
  const known = new Set(
    (
      await knowledge.checklist([...new Set(items.map((item) => libraryPath(item.knowledge_file)))])
    ).map(({ file, text }) => itemKey(file, text)),
  )
  const records: Records = {
    questions: await sql<Records['questions'][number][]>`
      select id, question_text, answer_text, status from question
      where version_id = ${versionId}
        and id = any (${items.flatMap(({ question_id: id }) => id ?? [])}::uuid[])`,
    adrs: await sql<Records['adrs'][number][]>`
      select title, context, drivers, options, decision, consequences, status from adr
      where version_id = ${versionId}`,
  }
  const faultOf = await faultsOf(knowledge, records, items)
  const faults = items.flatMap((item, i): Unprocessable[] => {
    const { item_text: text, status } = item
    const file = libraryPath(item.knowledge_file)
    const fault = (field: string, msg: string, input: string): Unprocessable[] => [
      { type: 'value_error', loc: ['body', 'items', i, field], msg, input },
    ]
    if (!files.has(file)) return fault('knowledge_file', 'is no file of the library', file)
    if (!known.has(itemKey(file, text))) return fault('item_text', `is no item of ${file}`, text)
    const missing = faultOf(item)
    return missing === undefined ? [] : fault('status', missing, status)
  })
  if (faults.length > 0) throw unprocessable(faults.slice(0, NAMED_MAX))
}
