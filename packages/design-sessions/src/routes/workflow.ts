import { Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { pathId } from '../errors.ts'
import { named, operation } from '../openapi.ts'
import { id } from '../tables/fields.ts'
import { type Project, projects } from '../records/projects.ts'
import { one } from '../tables/table.ts'
import { coverageGate, gate, gateOf } from '../workflow/gate.ts'
import { filesOf, readSession } from '../workflow/session.ts'
import { stepsOf } from '../workflow/steps.ts'
import { todoSchema } from '../workflow/todo.ts'

const count = v.pipe(v.number(), v.integer())
const file = v.object({ path: v.string(), category: v.string() })

const workflow = named(
  'Workflow',
  v.object({
    version_id: id(),
    steps: v.array(
      v.object({
        rule: count,
        title: v.string(),
        applicable: v.boolean(),
        done: v.boolean(),
        todo: v.array(todoSchema),
      }),
    ),
    next: v.nullable(v.object({ rule: count, title: v.string(), ...todoSchema.entries })),
    files: v.array(file),
  }),
)

const REFUSALS = [
  [404, 'Version not found'],
  [409, 'Version holds more text than is looked through'],
] as const

/** Guidance of a session: files to load, the coverage gate, the next steps. */
export function workflowRoutes(parts: Pick<AppParts, 'sql' | 'knowledge'>): Hono {
  const routes = new Hono()
  routes.get(
    '/projects/:project_id/knowledge-files',
    operation('listSessionFiles', 'workflow', {
      summary: 'List the files of a session',
      description: 'What a session loads, by providers, pattern and frameworks.',
      success: { status: 200, schema: v.array(file) },
      errors: [[404, 'Project not found']],
    }),
    async (context) => {
      const found = await one<Project>(parts.sql, projects, { id: pathId(context, 'project_id') })
      return context.json(await filesOf(parts.knowledge, found))
    },
  )
  routes.get(
    '/versions/:version_id/coverage/gate',
    operation('readCoverageGate', 'workflow', {
      summary: 'Read the coverage gate',
      description:
        'Whether critical items are uncovered, by category; what to ask first comes first. An ' +
        'addressed item counts with an answered question or a decision that belongs to its file, ' +
        'a deferred or excluded one with a reason. Diagrams follow when the gate is open.',
      success: { status: 200, schema: gate },
      errors: REFUSALS,
    }),
    async (context) => context.json(await coverageGate(parts, pathId(context, 'version_id'))),
  )
  routes.get(
    '/versions/:version_id/workflow',
    operation('readWorkflow', 'workflow', {
      summary: 'Read the workflow',
      description: 'The state of every rule of a session, and the next request.',
      success: { status: 200, schema: workflow },
      errors: REFUSALS,
    }),
    async (context) => {
      const session = await readSession(parts, pathId(context, 'version_id'))
      const steps = stepsOf(session, gateOf(session))
      const current = steps.find(({ applicable, done }) => applicable && !done)
      const next = current ? { rule: current.rule, title: current.title, ...current.todo[0] } : null
      return context.json({ version_id: session.version.id, steps, next, files: session.files })
    },
  )
  return routes
}
