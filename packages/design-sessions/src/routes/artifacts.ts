import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { AppParts } from '../app-parts.ts'
import { body, conflict, pathId, query } from '../errors.ts'
import { operation } from '../openapi.ts'
import { changeArtifact, createArtifact, type Artifact, artifacts } from '../records/artifacts.ts'
import { id } from '../tables/fields.ts'
import type { Stored } from '../tables/table.ts'
import { cloneVersion } from '../records/version-clone.ts'
import { coverageGate } from '../workflow/gate.ts'
import { isPatient } from '../requests/http-headers.ts'
import { resourceRoutes } from '../requests/resource.ts'

type Parts = Pick<AppParts, 'sql' | 'uploads' | 'logger' | 'renderQueue' | 'knowledge'>

const PATH = '/versions/:version_id/artifacts'

const gateQuery = v.object({ require_gate: v.optional(v.picklist(['true', 'false']), 'false') })

/** Diagrams and documents of a version. */
export function artifactRoutes(parts: Parts): Hono {
  const { sql } = parts
  const routes = resourceRoutes({
    sql,
    kind: artifacts,
    path: PATH,
    parameter: 'artifact_id',
    tag: 'artifacts',
    createQuery: gateQuery,
    forbidden: 'The coverage gate is closed, and `require_gate=true`',
    removable: true,
    actions: {
      create: async (values, versionId, context) => {
        if (values.artifact_type === 'diagram') await passGate(parts, versionId, context)
        return createArtifact(sql, versionId, values)
      },
      update: async ({ id, parentId = '' }, changes, revision, context) => {
        const place = { id, parentId }
        const at = { now: new Date(), revision }
        const { artifact, sourceChanged } = await changeArtifact(sql, place, changes, at)
        return sourceChanged && artifact.source_code !== null
          ? rendered(parts, artifact, context)
          : artifact
      },
    },
  })
  const cloneBody = v.object({
    target_version_id: id(),
    include_coverage: v.optional(v.boolean(), false),
  })
  return routes.post(
    `${PATH}/clone`,
    operation('cloneVersion', 'artifacts', {
      summary: 'Clone a version',
      description:
        'Copies artifacts, decisions, questions, inventory and uploads, and coverage if asked ' +
        'for. A repeated request copies nothing again.',
      body: cloneBody,
      success: { status: 201, schema: v.array(artifacts.schema) },
      errors: [
        [404, 'Version not found; Target version not found'],
        [409, 'Version holds more text than is copied at once; The file of an upload is gone'],
      ],
    }),
    async (context) => {
      const sourceId = pathId(context, 'version_id')
      const sent = await body(context, cloneBody)
      const { target_version_id: targetId, include_coverage: withCoverage } = sent
      const clone = { sourceId, targetId, withCoverage }
      return context.json(await cloneVersion(parts, clone), 201)
    },
  )
}

/** @throws {HttpError} 409 when the gate is required and closed */
async function passGate(parts: Parts, versionId: string, context: Context): Promise<void> {
  if (query(context, gateQuery).require_gate !== 'true') return
  const { open, blockers } = await coverageGate(parts, versionId)
  if (!open) throw conflict(`Coverage gate is closed: ${blockers.length} critical items uncovered`)
}

/** Renders a changed source; a failure does not undo the change. */
async function rendered(
  { renderQueue, logger }: Parts,
  changed: Stored<Artifact>,
  context: Context,
): Promise<Artifact> {
  if (!renderQueue) return changed
  try {
    return await renderQueue.request(changed.id, isPatient(context) ? {} : { waitMs: 0 })
  } catch (error) {
    logger.warn({ err: error, artifact: changed.id }, 'not rendered after its change')
    return changed
  }
}
