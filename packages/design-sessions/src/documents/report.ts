import type { Adr } from '../records/adrs.ts'
import { type Artifact, isDrawn } from '../records/artifacts.ts'
import type { CoverageItem } from '../records/coverage.ts'
import type { Question } from '../records/questions.ts'
import {
  heading,
  markdown,
  paragraph,
  plain,
  remark,
  section,
  sentenceCase,
  strong,
  table,
} from './pdf-blocks.ts'
import type { Cover, PdfInput, PdfPart } from './pdf-input.ts'
import { type VersionRecords, adrName, placeName } from './version-records.ts'

/** A version as a report: cover, contents, artifacts, decisions, questions, coverage. */
export function report(
  records: VersionRecords,
  { subtitle, pictures }: { readonly subtitle: string; readonly pictures: PdfInput['pictures'] },
): PdfInput {
  const { project, artifacts, adrs, questions, coverage } = records
  const parts = [
    ...section('Overview', overview(records)),
    ...artifacts.flatMap((artifact) => artifactSection(artifact, pictures)),
    ...section('Architecture decisions', decisions(adrs)),
    ...section('Questions and answers', answers(questions)),
    ...section('Coverage', coverageParts(coverage)),
  ]
  return {
    title: project.name,
    place: placeName(records),
    cover: cover(records, subtitle),
    changed: changed(records),
    pictures,
    parts:
      parts.length > 0
        ? parts
        : section('Overview', [remark('Nothing has been written down for this version yet.')]),
  }
}

/** Time of the last change [s since 1970]. */
function changed(records: VersionRecords): number {
  const { client, project, version, artifacts, adrs, questions, coverage } = records
  const all = [client, project, version, artifacts, adrs, questions, coverage].flat()
  return all.reduce((latest, row) => Math.max(latest, seconds(row.updated_at)), 0)
}

/** [s since 1970] */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

function cover(records: VersionRecords, subtitle: string): Cover {
  const { client, project, version } = records
  const date = new Date(changed(records) * 1000).toISOString().slice(0, 10)
  const facts: readonly (readonly [string, string])[] = [
    ['Client', client.name],
    ['Version', `v${version.version_number}`],
    ['Label', version.label ?? ''],
    ['Status', sentenceCase(version.status)],
    ['Date', date],
    ['Providers', project.cloud_providers.join(', ')],
  ]
  return { subtitle, facts: facts.filter(([, value]) => value !== '') }
}

function overview({ project, version }: VersionRecords): readonly PdfPart[] {
  const { description, architecture_pattern: pattern, compliance_frameworks: frameworks } = project
  return [
    ...(description?.trim() ? [markdown(description, 2)] : []),
    ...(pattern === null ? [] : [paragraph(strong('Pattern: '), plain(pattern))]),
    ...(frameworks.length === 0
      ? []
      : [paragraph(strong('Compliance: '), plain(frameworks.join(', ')))]),
    ...(version.notes?.trim()
      ? [heading(2, 'Notes on this version', false), markdown(version.notes, 2)]
      : []),
  ]
}

function artifactSection(artifact: Artifact, pictures: PdfInput['pictures']): readonly PdfPart[] {
  const parts = artifactParts(artifact, pictures, 1)
  const missing = artifact.source_code?.trim() ? 'Not rendered.' : 'Empty.'
  return section(artifact.name, [
    ...(artifact.artifact_type === 'diagram' ? [remark(sentenceCase(artifact.detail_level))] : []),
    ...(parts.length > 0 ? parts : [remark(missing)]),
  ])
}

function decisions(adrs: readonly Adr[]): readonly PdfPart[] {
  return adrs.flatMap((adr) => {
    const successor = adrs.find(({ id }) => id === adr.superseded_by)
    const by = successor ? ` by ${adrName(successor.adr_number)} ${successor.title}` : ''
    return [
      heading(2, `${adrName(adr.adr_number)} ${adr.title}`),
      remark(sentenceCase(adr.status) + by),
      heading(3, 'Context', false),
      markdown(adr.context, 3),
      heading(3, 'Decision', false),
      markdown(adr.decision, 3),
      heading(3, 'Consequences', false),
      markdown(adr.consequences, 3),
    ]
  })
}

function answers(questions: readonly Question[]): readonly PdfPart[] {
  return [...Map.groupBy(questions, ({ category }) => category)].flatMap(([category, asked]) => [
    heading(2, sentenceCase(category)),
    ...asked.flatMap(({ question_text: question, answer_text: answer, status }) => [
      heading(3, status === 'answered' ? question : `${question} (${sentenceCase(status)})`, false),
      ...(answer?.trim() ? [markdown(answer, 3)] : []),
    ]),
  ])
}

const COUNTED = ['addressed', 'deferred', 'pending', 'na'] as const

function coverageParts(coverage: readonly CoverageItem[]): readonly PdfPart[] {
  if (coverage.length === 0) return []
  const byFile = [...Map.groupBy(coverage, ({ knowledge_file: file }) => file)]
  const counts = byFile.map(([file, items]) => [
    file,
    String(items.length),
    ...COUNTED.map((status) => String(items.filter((item) => item.status === status).length)),
  ])
  const head = ['File', 'Items', 'Addressed', 'Deferred', 'Pending', 'Not applicable']
  return [
    table([1, 0, 0, 0, 0, 0], head, counts),
    ...byFile.flatMap(([file, items]) => [
      heading(2, file, false),
      table(
        [0, 3, 0, 2],
        ['Priority', 'Item', 'Status', 'Reason'],
        items.map(({ priority, item_text: text, status, reason }) => [
          priority,
          text,
          status === 'na' ? 'Not applicable' : sentenceCase(status),
          reason ?? '',
        ]),
      ),
    ]),
  ]
}

/** The PDF parts of an artifact: a diagram's last picture, or a document's text; may be empty. */
export function artifactParts(
  artifact: Artifact,
  pictures: PdfInput['pictures'],
  lowered: number,
): readonly PdfPart[] {
  const { id, name, source_code: source, outputs_stale: isStale } = artifact
  if (!isDrawn(artifact)) return source?.trim() ? [markdown(source, lowered)] : []
  if (pictures[id] === undefined) return []
  return [
    { type: 'picture', artifact: id, alt: `${name} (diagram)` },
    ...(isStale ? [remark('The source has changed since this was rendered.')] : []),
  ]
}

/** The source of a diagram without a picture; may be empty. */
export function sourceParts({
  source_code: source,
  render_error: error,
}: Artifact): readonly PdfPart[] {
  if (!source?.trim()) return []
  return [
    remark(error === null ? 'Not rendered; its source:' : `Not rendered: ${error}`),
    { type: 'pre', value: source, language: null },
  ]
}
