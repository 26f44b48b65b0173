import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, pathId } from '../errors.ts'
import { named, operation } from '../openapi.ts'
import { FACTS, FACT_NAMES, choicesOf, facts } from '../records/facts.ts'
import { update } from '../tables/table.ts'
import { type Version, versions } from '../records/versions.ts'
import { excludedItem, excludedItems } from '../workflow/exclusions.ts'
import { gateOf } from '../workflow/gate.ts'
import { readSession } from '../workflow/session.ts'
import { answer, revisionOf } from '../requests/resource.ts'

const PATH = '/versions/:version_id/facts'

const count = v.pipe(v.number(), v.integer())

/** The facts of a version, and what they exclude. */
const versionFacts = named(
  'VersionFacts',
  v.object({
    facts,
    questions: v.array(
      v.object({
        fact: v.picklist(FACT_NAMES),
        question: v.string(),
        choices: v.array(v.object({ choice: v.string(), meaning: v.string() })),
      }),
    ),
    critical_to_ask: count,
    excluded: v.array(
      v.object({ fact: v.picklist(FACT_NAMES), items: count, critical_items: count }),
    ),
  }),
)

export type VersionFacts = v.InferOutput<typeof versionFacts>

const QUESTIONS = FACT_NAMES.map((fact) => ({
  fact,
  question: FACTS[fact].question,
  choices: Object.entries(choicesOf(fact)).map(([choice, meaning]) => ({ choice, meaning })),
}))

const MISSING = [404, 'Version not found'] as const
const TOO_LARGE = [409, 'Version holds more text than is looked through'] as const

/** What a version says of itself once, so that only items of checklists that apply are asked. */
export function factRoutes(parts: Pick<AppParts, 'sql' | 'knowledge'>): Hono {
  const routes = new Hono()
  routes.get(
    PATH,
    operation('readFacts', 'workflow', {
      summary: 'Read the facts of a version',
      description: 'The facts, their questions, and how many items they exclude.',
      success: { status: 200, schema: versionFacts },
      errors: [MISSING, TOO_LARGE],
    }),
    async (context) => factsAnswer(parts, context),
  )
  routes.put(
    PATH,
    operation('setFacts', 'workflow', {
      summary: 'Set the facts of a version',
      description:
        'Replaces all facts. An item that does not apply counts as `na`, one of a later stage as ' +
        '`deferred`, unless it has a coverage record or was asked.',
      body: facts,
      success: { status: 200, schema: versionFacts },
      errors: [MISSING, TOO_LARGE, [412, 'The record has been changed since `If-Match`']],
    }),
    async (context) => {
      const id = pathId(context, 'version_id')
      const values = { facts: await body(context, facts) }
      await update<Version>(parts.sql, versions, { id }, values, revisionOf(context))
      return factsAnswer(parts, context)
    },
  )
  routes.get(
    '/versions/:version_id/coverage/excluded',
    operation('listExcludedItems', 'workflow', {
      summary: 'List excluded items',
      description: 'Items that are not asked, and the fact that excludes each.',
      success: { status: 200, schema: v.array(excludedItem) },
      errors: [MISSING, TOO_LARGE],
    }),
    async (context) => {
      const session = await readSession(parts, pathId(context, 'version_id'))
      return context.json(excludedItems(session, session.items))
    },
  )
  return routes
}

async function factsAnswer(
  parts: Pick<AppParts, 'sql' | 'knowledge'>,
  context: Context,
): Promise<Response> {
  const session = await readSession(parts, pathId(context, 'version_id'))
  const { version, items } = session
  const byFact = Map.groupBy(excludedItems(session, items), ({ fact }) => fact)
  const excluded = [...byFact].map(([fact, all]) => ({
    fact,
    items: all.length,
    critical_items: all.filter(({ priority }) => priority === 'Critical').length,
  }))
  const shown = {
    facts: version.facts,
    questions: QUESTIONS,
    critical_to_ask: gateOf(session).blockers.length,
    excluded,
  }
  return answer(context, { ...shown, revision: version.revision }, 200)
}
