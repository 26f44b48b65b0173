import type { Hono } from 'hono'
import type { AppParts } from '../app-parts.ts'
import { type Question, questions } from '../records/questions.ts'
import type { Suggestion } from '../records/suggestion.ts'
import { insert, update } from '../tables/table.ts'
import { resourceRoutes } from '../requests/resource.ts'

type Parts = Pick<AppParts, 'sql' | 'knowledge' | 'logger'>

/** Questions of a version; creating and answering one returns suggestions of the library. */
export function questionRoutes(parts: Parts): Hono {
  const { sql } = parts
  return resourceRoutes({
    sql,
    kind: questions,
    path: '/versions/:version_id/questions',
    parameter: 'question_id',
    tag: 'questions',
    removable: true,
    actions: {
      shown: (row) => ({ ...row, suggestions: [] }),
      create: async (values, version_id) => {
        const row = await insert<Question>(sql, questions, { ...values, version_id })
        return { ...row, suggestions: await suggestions(parts, row) }
      },
      update: async (place, changes, revision) => {
        const row = await update<Question>(sql, questions, place, changes, revision)
        const found = row.answer_text?.trim() ? await suggestions(parts, row) : []
        return { ...row, suggestions: found }
      },
    },
  })
}

/** A failure returns no suggestions; the record is stored in any case. */
async function suggestions(
  { knowledge, logger }: Parts,
  { question_text, answer_text, version_id }: Question,
): Promise<readonly Suggestion[]> {
  if (!knowledge) return []
  const text = answer_text === null ? question_text : `${question_text} ${answer_text}`
  try {
    return await knowledge.suggestions(text, { versionId: version_id })
  } catch (error) {
    logger.warn({ err: error }, 'no suggestions')
    return []
  }
}
