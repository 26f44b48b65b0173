import type postgres from 'postgres'
import { badRequest } from '../errors.ts'
import { type Artifact, artifactIds, isDrawn, isReport } from '../records/artifacts.ts'
import { versionPictures } from '../rendering/outputs.ts'
import type { Renderer } from '../rendering/renderer.ts'
import type { RenderedFile } from '../rendering/jobs.ts'
import { artifactParts, report, seconds, sourceParts } from './report.ts'
import type { PageInput } from './html-page.ts'
import { sentenceCase } from './pdf-blocks.ts'
import type { PdfInput } from './pdf-input.ts'
import { TEMPLATES } from './templates.ts'
import { placeName, versionPlace, versionRecords } from './version-records.ts'

/** Creates pages, PDF files and template texts from records. */
export interface Documents {
  /**
   * The outputs of the engines `markdown` (`document.html`, safe to show) and `weasyprint`
   * (`report.pdf`, of the whole version).
   *
   * @param signal  cancels it
   * @throws {HttpError} 409 when the version is too large
   * @throws {RenderError}
   */
  outputs(artifact: Artifact, signal?: AbortSignal): Promise<readonly RenderedFile[]>
  /**
   * An artifact as PDF, from its picture or source; a report is rendered as such.
   *
   * @param signal  cancels it
   * @throws {HttpError} 400 `No content to export`; 409 when the version is too large
   * @throws {RenderError}
   */
  artifactPdf(artifact: Artifact, signal?: AbortSignal): Promise<Uint8Array>
  /** sorted */
  templates(): readonly string[]
  /**
   * The source of a document from a template.
   *
   * @returns undefined for an unknown name
   * @throws {HttpError} 404 `Version not found`; 409 when the version is too large
   */
  renderTemplate(name: string, values: TemplateValues): Promise<string | undefined>
}

export interface TemplateValues {
  /** by default that of the project */
  readonly projectName?: string | undefined
  /** fills the template with the records of this version */
  readonly versionId?: string | undefined
}

export interface DocumentsOptions {
  readonly sql: postgres.Sql
  readonly renderer: Pick<Renderer, 'run'>
}

const UNTITLED = 'Untitled Project'

/** Bytes of texts in a report; more exceed the time limit of a render. */
const REPORT_BYTES_MAX = 4 * 1_048_576

/** Bytes of texts in a template, which is filled in the main process. */
const TEMPLATE_BYTES_MAX = 1_048_576

export function createDocuments({ sql, renderer }: DocumentsOptions): Documents {
  /** Only pictures of the same version: ids of other clients show nothing. */
  const picturesOf = async (artifact: Artifact): Promise<PdfInput['pictures']> => {
    const { id, version_id: versionId, source_code: source } = artifact
    const wanted = isDrawn(artifact) ? new Set([id]) : artifactIds(source ?? '')
    return wanted.size === 0 ? {} : versionPictures(sql, versionId, wanted)
  }
  const pageInput = async (artifact: Artifact): Promise<PageInput> => ({
    title: artifact.name,
    source: artifact.source_code ?? '',
    pictures: await picturesOf(artifact),
  })
  const reportInput = async (artifact: Artifact): Promise<PdfInput> => {
    const records = await versionRecords(sql, artifact.version_id, REPORT_BYTES_MAX)
    const pictures = await versionPictures(sql, artifact.version_id)
    return report(records, { subtitle: artifact.name, pictures })
  }
  const artifactInput = async (artifact: Artifact): Promise<PdfInput> => {
    const place = await versionPlace(sql, artifact.version_id)
    const pictures = await picturesOf(artifact)
    const shown = artifactParts(artifact, pictures, 0)
    const parts = shown.length > 0 ? shown : sourceParts(artifact)
    if (parts.length === 0) throw badRequest('No content to export')
    return {
      title: artifact.name,
      place: `${placeName(place)} - ${sentenceCase(artifact.detail_level).toLowerCase()}`,
      cover: null,
      changed: seconds(artifact.updated_at),
      pictures,
      parts,
    }
  }
  return {
    outputs: async (artifact, signal) => {
      if (isReport(artifact)) {
        const bytes = await renderer.run('pdf', () => reportInput(artifact), signal)
        return [{ filename: 'report.pdf', contentType: 'application/pdf', bytes }]
      }
      const page = await renderer.run('page', () => pageInput(artifact), signal)
      return [{ filename: 'document.html', contentType: 'text/html', bytes: Buffer.from(page) }]
    },
    artifactPdf: (artifact, signal) => {
      const input = isReport(artifact) ? reportInput : artifactInput
      return renderer.run('pdf', () => input(artifact), signal)
    },
    templates: () => Object.keys(TEMPLATES).toSorted(),
    renderTemplate: async (name, { projectName, versionId }) => {
      const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
      if (!template) return undefined
      const records =
        versionId === undefined
          ? undefined
          : await versionRecords(sql, versionId, TEMPLATE_BYTES_MAX)
      return template({ projectName: projectName ?? records?.project.name ?? UNTITLED, records })
    },
  }
}
