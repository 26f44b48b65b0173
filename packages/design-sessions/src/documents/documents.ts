import type postgres from 'postgres'
import { badRequest } from '../errors.ts'
import type { Knowledge } from '../indexing/knowledge.ts'
import { type Artifact, artifactIds, isReport } from '../records/artifacts.ts'
import { versionPictures } from '../rendering/outputs.ts'
import type { NamedFiles } from '../pictures/named-files.ts'
import type { PictureFiles } from '../pictures/pictures.ts'
import type { Renderer } from '../rendering/renderer.ts'
import type { Drawing } from '../engines/drawing.ts'
import { PictureCache } from '../pictures/picture-cache.ts'
import type { FenceDrawings } from '../markdown/fence-key.ts'
import { drawnFences } from './fences.ts'
import { type Lacks, type Shown, lacksOf } from './missing-parts.ts'
import { drawPending } from './pending-drawings.ts'
import {
  type Section,
  USUAL_SECTIONS,
  type Unillustrated,
  artifactParts,
  report,
  seconds,
} from './report.ts'
import type { PageInput } from '../typesetting/html-page.ts'
import { referencesIn } from '../markdown/markdown-tree.ts'
import { markdown, sentenceCase } from '../typesetting/pdf-blocks.ts'
import type { PdfInput, PdfPart } from '../typesetting/pdf-input.ts'
import { TEMPLATES } from './templates.ts'
import { placeName, versionPlace, versionRecords } from './version-records.ts'
import { itemsExcluded } from '../workflow/exclusions.ts'

export interface PdfOptions {
  /** of a report; by default all but the appendix */
  readonly sections?: readonly Section[] | undefined
  /** cancels it */
  readonly signal?: AbortSignal | undefined
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
  readonly namedFiles?: NamedFiles
  /** whose items facts exclude */
  readonly knowledge?: Pick<Knowledge, 'files' | 'checklist'>
}

/** Files, and what they do not show; `missing` is what a report must not lack. */
export interface DocumentOutput extends Drawing {
  readonly missing?: readonly string[]
}

const UNTITLED = 'Untitled Project'

/** Bytes of texts in a report; more exceed the time limit of a render. */
const REPORT_BYTES_MAX = 4 * 1_048_576

/** Bytes of cached diagrams in documents. */
const FENCE_BYTES_MAX = 32 * 1_048_576

/** Bytes of texts in a template, which is filled in the main process. */
const TEMPLATE_BYTES_MAX = 1_048_576

/** Creates pages, PDF files and template texts from records. */
export class Documents {
  readonly #options: DocumentsOptions
  readonly #cache = new PictureCache(FENCE_BYTES_MAX)

  constructor(options: DocumentsOptions) {
    this.#options = options
  }

  /**
   * The outputs of the engines `markdown` (`document.html`, safe to show) and `weasyprint`
   * (`report.pdf`, of the whole version), and what they do not show.
   *
   * @param signal  cancels it
   * @throws {HttpError} 409 when the version is too large
   * @throws {RenderError}
   */
  async outputs(artifact: Artifact, signal?: AbortSignal): Promise<DocumentOutput> {
    if (isReport(artifact)) {
      const { bytes, lacks } = await this.#pdf(artifact, { signal })
      const file = { filename: 'report.pdf', contentType: 'application/pdf', bytes }
      return { outputs: [file], ...lacks }
    }
    const { sql, renderer } = this.#options
    const { name: title, source_code: source } = artifact
    const part = markdown(source ?? '', 0)
    const drawn = await this.#drawings(artifact, { parts: [part], cover: null }, signal)
    const { faults, shown } = drawn
    let pictures: PageInput['pictures'] = {}
    const input = async (): Promise<PageInput> => {
      pictures = { ...(await picturesOf(sql, artifact, [part])), ...drawn.pictures }
      return { title, source: part.source, pictures, faults }
    }
    const page = await renderer.run('page', input, signal)
    const lacks = await lacksOf(sql, artifact.version_id, { pictures, faults }, shown)
    return {
      outputs: [{ filename: 'document.html', contentType: 'text/html', bytes: Buffer.from(page) }],
      notes: [...lacks.missing, ...lacks.notes],
    }
  }

  /**
   * An artifact as PDF, from its picture or source; a report is rendered as such. Diagrams in it
   * that are not drawn yet are drawn first.
   *
   * @throws {HttpError} 400 `No content to export`; 409 when the version is too large
   * @throws {RenderError}
   */
  async artifactPdf(artifact: Artifact, options: PdfOptions = {}): Promise<Uint8Array> {
    return (await this.#pdf(artifact, options)).bytes
  }

  async #pdf(
    artifact: Artifact,
    { sections, signal }: PdfOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly lacks: Lacks }> {
    const { sql, renderer } = this.#options
    const input = (): Promise<Unillustrated> =>
      isReport(artifact)
        ? reportInput(this.#options, artifact, sections ?? USUAL_SECTIONS)
        : artifactInput(sql, artifact)
    // Before the job starts: it would wait for a process while it has one itself.
    const drawn = await this.#drawings(artifact, await input(), signal)
    const { faults, shown } = drawn
    let pictures: PdfInput['pictures'] = {}
    const whole = async (): Promise<PdfInput> => {
      const made = await input()
      pictures = { ...(await picturesOf(sql, artifact, made.parts)), ...drawn.pictures }
      return { ...made, pictures, faults }
    }
    const bytes = await renderer.run('pdf', whole, signal)
    return { bytes, lacks: await lacksOf(sql, artifact.version_id, { pictures, faults }, shown) }
  }

  /** sorted */
  templates(): readonly string[] {
    return Object.keys(TEMPLATES).toSorted()
  }

  /**
   * The source of a document from a template.
   *
   * @returns undefined for an unknown name
   * @throws {HttpError} 404 `Version not found`; 409 when the version is too large
   */
  async renderTemplate(
    name: string,
    { projectName, versionId }: TemplateValues,
  ): Promise<string | undefined> {
    const template = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined
    if (!template) return undefined
    const records =
      versionId === undefined
        ? undefined
        : await versionRecords(this.#options.sql, versionId, TEMPLATE_BYTES_MAX)
    return template({ projectName: projectName ?? records?.project.name ?? UNTITLED, records })
  }

  /** Draws artifacts that are not drawn yet; diagrams of fences, uploads and data as pictures. */
  async #drawings(
    { version_id: versionId }: Artifact,
    { parts, cover }: Pick<Unillustrated, 'parts' | 'cover'>,
    signal?: AbortSignal,
  ): Promise<FenceDrawings & { readonly shown: Shown }> {
    const { renderer, namedFiles } = this.#options
    const ids = new Set(parts.flatMap(artifactsIn))
    await drawPending(this.#options, versionId, ids, signal)
    const sources = parts.flatMap((part) => (part.type === 'markdown' ? [part.source] : []))
    const logo = cover?.logo
    const references = [...sources.flatMap(referencesIn), ...(logo ? [logo.reference] : [])]
    const filesOf = async (source: string): Promise<PictureFiles> =>
      (await namedFiles?.ofVersion(versionId, source)) ?? {}
    const drawn = await drawnFences({ renderer, cache: this.#cache, filesOf }, sources, signal)
    const shown = { ids, references }
    if (references.length === 0 || !namedFiles) return { ...drawn, shown }
    const files = {
      ...(logo && (await namedFiles.ofClient(logo.clientId, logo.reference))),
      ...(await filesOf(references.join('\n'))),
    }
    const pictures = await renderer.run('pictures', { references, files }, signal)
    return { ...drawn, pictures: { ...drawn.pictures, ...pictures }, shown }
  }
}

async function reportInput(
  { sql, knowledge }: DocumentsOptions,
  { version_id: versionId, name: subtitle }: Artifact,
  sections: readonly Section[],
): Promise<Unillustrated> {
  const records = await versionRecords(sql, versionId, REPORT_BYTES_MAX)
  const excluded = knowledge ? await itemsExcluded(records, knowledge) : []
  return report(records, { subtitle, sections, excluded })
}

async function artifactInput(sql: postgres.Sql, artifact: Artifact): Promise<Unillustrated> {
  const place = await versionPlace(sql, artifact.version_id)
  const parts = artifactParts(artifact)
  if (parts.length === 0) throw badRequest('No content to export')
  return {
    title: artifact.name,
    place: `${placeName(place)} - ${sentenceCase(artifact.detail_level).toLowerCase()}`,
    cover: null,
    changed: seconds(artifact.updated_at),
    parts,
  }
}

/** Only pictures of the same version: ids of other clients show nothing. */
async function picturesOf(
  sql: postgres.Sql,
  { version_id: versionId }: Artifact,
  parts: readonly PdfPart[],
): Promise<PdfInput['pictures']> {
  const wanted = new Set(parts.flatMap(artifactsIn))
  return wanted.size === 0 ? {} : versionPictures(sql, versionId, wanted)
}

function artifactsIn(part: PdfPart): readonly string[] {
  if (part.type === 'figure') return part.artifact.split('/').slice(0, 1)
  return part.type === 'markdown' ? [...artifactIds(part.source)] : []
}
