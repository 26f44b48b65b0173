import { HttpError, textBody } from '@orrery/http'
import { Hono } from 'hono'
import type postgres from 'postgres'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { versionPlace } from '../documents/version-records.ts'
import { JSON_BYTES_MAX, body, pathId, query, unprocessable } from '../errors.ts'
import { type AdrEntry, decisionLog } from '../madr/decision-log.ts'
import { decisionFrom, decisionSource } from '../madr/decision.ts'
import { operation } from '../openapi.ts'
import { type Adr, adrs, changeAdr, createAdr, supersedeAdr } from '../records/adrs.ts'
import { list, one } from '../tables/table.ts'
import { MARKDOWN, markdownAnswer, prefersMarkdown } from '../requests/http-headers.ts'
import { answer, placeInVersion, resourceRoutes } from '../requests/resource.ts'

const PATH = '/versions/:version_id/adrs'

/** Decision records of a version, numbered from 1. */
export function adrRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  const routes = resourceRoutes({
    sql,
    kind: adrs,
    path: PATH,
    parameter: 'adr_id',
    tag: 'decisions',
    otherType: MARKDOWN,
    removable: true,
    actions: {
      create: (values, versionId) => createAdr(sql, versionId, values),
      update: (place, changes, revision) => changeAdr(sql, place, changes, revision),
    },
  })
  return routes.post(
    `${PATH}/:adr_id/supersede`,
    operation('supersedeAdr', 'decisions', {
      summary: 'Supersede a decision',
      description: 'Creates a decision in place of this one, which then points to it.',
      body: adrs.create,
      success: { status: 201, schema: adrs.schema },
      errors: [
        [404, 'Version not found; ADR not found'],
        [409, 'ADR is superseded already'],
      ],
    }),
    async (context) => {
      const old = placeInVersion(context, 'adr_id')
      return answer(context, await supersedeAdr(sql, old, await body(context, adrs.create)), 201)
    },
  )
}

/** Decisions in memory at a time. */
const PAGE = { limit: 100, bytesMax: 1_048_576 }

const filters = v.object(v.partial(v.object(adrs.filters)).entries)

/**
 * Decisions as Markdown. Other requests pass on to the routes of records, which also describe
 * these.
 */
export function adrFileRoutes({ sql }: Pick<AppParts, 'sql'>): Hono {
  const routes = new Hono()
  routes.get(PATH, async (context, next) => {
    if (!prefersMarkdown(context)) return next()
    const versionId = pathId(context, 'version_id')
    const asked = query(context, filters)
    const { project, version } = await versionPlace(sql, versionId)
    const all = await sql<AdrEntry[]>`
      select id, adr_number, title, status, superseded_by, updated_at from adr
      where version_id = ${versionId} order by adr_number`
    const entries = all.filter(({ status }) => status === (asked.status ?? status))
    const numbers = new Map(all.map(({ id, adr_number: number }) => [id, number]))
    const of = `${project.name} ${version.version_number}`
    const log = decisionLog(of, entries, numbers, pages(sql, versionId, asked))
    return markdownAnswer(context, log)
  })
  routes.post(PATH, async (context, next) => {
    if (!context.req.header('content-type')?.toLowerCase().startsWith(MARKDOWN)) return next()
    const versionId = pathId(context, 'version_id')
    const source = await textBody(context, MARKDOWN, JSON_BYTES_MAX).catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.code !== 'malformed') throw error
      throw unprocessable([{ type: 'markdown_invalid', loc: ['body'], msg: error.message }])
    })
    const values = decisionFrom(source)
    return answer(context, await createAdr(sql, versionId, values), 201)
  })
  return routes.get(`${PATH}/:adr_id`, async (context, next) => {
    if (!prefersMarkdown(context)) return next()
    const adr = await one<Adr>(sql, adrs, placeInVersion(context, 'adr_id'))
    const [successor] = await sql<{ adr_number: number }[]>`
      select adr_number from adr where id = ${adr.superseded_by}`
    return markdownAnswer(context, decisionSource(adr, successor?.adr_number))
  })
}

async function* pages(
  sql: postgres.Sql,
  parentId: string,
  filters: object,
): AsyncGenerator<readonly Adr[]> {
  let cursor: string | undefined
  do {
    const page = await list<Adr>(sql, adrs, { parentId, filters, cursor, ...PAGE })
    yield page.rows
    cursor = page.cursor
  } while (cursor !== undefined)
}
