import { type Artifact, isDrawn } from '../records/artifacts.ts'
import type { Question } from '../records/questions.ts'
import {
  countsOf,
  coverageItemParts,
  coverageParts,
  isChecklist,
  riskParts,
} from './coverage-parts.ts'
import { decisionParts } from './decision-parts.ts'
import { exclusionParts } from './exclusion-parts.ts'
import { saidOnce } from './said-once.ts'
import {
  day,
  heading,
  markdown,
  paragraph,
  plain,
  remark,
  section,
  sentenceCase,
  strong,
  table,
} from '../typesetting/pdf-blocks.ts'
import type { Cover, Figure, PdfInput, PdfPart } from '../typesetting/pdf-input.ts'
import { type VersionRecords, placeName } from './version-records.ts'
import type { ExcludedItem } from '../workflow/exclusions.ts'

/** Sections of a report in their order. */
export const SECTIONS = [
  'overview',
  'diagrams',
  'documents',
  'decisions',
  'questions',
  'coverage',
  'exclusions',
  'coverage_items',
] as const

export type Section = (typeof SECTIONS)[number]

/** All but the appendix. */
export const USUAL_SECTIONS: readonly Section[] = SECTIONS.slice(0, -1)

export interface ReportOptions {
  readonly subtitle: string
  readonly sections: readonly Section[]
  readonly excluded: readonly ExcludedItem[]
}

/** The input of a PDF before its pictures are read. */
export type Unillustrated = Omit<PdfInput, 'pictures' | 'faults'>

/** A version as a report: cover, contents, and the sections asked for. */
export function report(
  records: VersionRecords,
  { subtitle, sections, excluded }: ReportOptions,
): Unillustrated {
  const { project, adrs, questions, coverage } = records
  const all: Readonly<Record<Section, () => readonly PdfPart[]>> = {
    overview: () => section('Overview', overview(records)),
    diagrams: () => section('Diagrams', records.artifacts.filter(isDrawn).flatMap(figures)),
    documents: () => documents(records, new Set(sections)),
    decisions: () => section('Architecture decisions', decisionParts(adrs)),
    questions: () => section('Questions and answers', answers(questions)),
    coverage: () => section('Coverage', [...coverageParts(coverage), ...riskParts(coverage)]),
    exclusions: () => section('Excluded by facts', exclusionParts(records.version, excluded)),
    coverage_items: () => section('Appendix: coverage items', coverageItemParts(coverage)),
  }
  const parts = SECTIONS.flatMap((name) => (sections.includes(name) ? all[name]() : []))
  const nothing = section('Overview', [
    remark('Nothing has been written down for this version yet.'),
  ])
  return {
    title: project.name,
    place: placeName(records),
    cover: cover(records, subtitle),
    changed: changed(records),
    parts: parts.length > 0 ? parts : nothing,
  }
}

/** Time of the version's last change [s since 1970]. */
function changed(records: VersionRecords): number {
  const { version, artifacts, adrs, questions, coverage } = records
  const all = [version, artifacts, adrs, questions, coverage].flat()
  return all.reduce((latest, row) => Math.max(latest, seconds(row.updated_at)), 0)
}

/** [s since 1970] */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

function cover(records: VersionRecords, subtitle: string): Cover {
  const { client, project, version } = records
  const facts: readonly (readonly [string, string])[] = [
    ['Client', client.name],
    ['Version', `v${version.version_number}`],
    ['Label', version.label ?? ''],
    ['Status', sentenceCase(version.status)],
    ['Date', day(new Date(changed(records) * 1000))],
    ['Providers', project.cloud_providers.join(', ')],
  ]
  const { id: clientId, logo_path: reference } = client
  return {
    ...(reference && { logo: { reference, clientId } }),
    subtitle,
    facts: facts.filter(([, value]) => value !== ''),
  }
}

function overview({ project, version, ...records }: VersionRecords): readonly PdfPart[] {
  const { description, architecture_pattern: pattern, compliance_frameworks: frameworks } = project
  const { artifacts, adrs, questions, coverage } = records
  const critical = coverage.filter(({ priority }) => priority === 'Critical')
  const counts: readonly (readonly [string, number, string])[] = [
    ['Decisions', adrs.length, counted(adrs)],
    ['Questions', questions.length, counted(questions)],
    ['Diagrams', artifacts.filter(isDrawn).length, ''],
    ['Critical checklist items', critical.length, countsOf(critical)],
  ]
  const rows = counts.filter(([, count]) => count > 0)
  return [
    ...(description?.trim() ? [markdown(description, 2)] : []),
    ...(pattern === null ? [] : [paragraph(strong('Pattern: '), plain(pattern))]),
    ...(frameworks.length === 0
      ? []
      : [paragraph(strong('Compliance: '), plain(frameworks.join(', ')))]),
    ...(version.notes?.trim()
      ? [heading(2, 'Notes on this version', false), markdown(version.notes, 2)]
      : []),
    ...(rows.length === 0
      ? []
      : [
          table(
            [1, 0, 2],
            ['At a glance', 'Number', 'State'],
            rows.map(([name, count, state]) => [name, String(count), state]),
          ),
        ]),
  ]
}

/** Such as `3 accepted, 1 proposed`. */
function counted(records: readonly { readonly status: string }[]): string {
  return [...Map.groupBy(records, ({ status }) => status)]
    .map(([status, all]) => `${all.length} ${sentenceCase(status).toLowerCase()}`)
    .join(', ')
}

/** Its pictures: further ones are boards of D2 and further diagrams of a program. */
function figures(artifact: Artifact): readonly Figure[] {
  const { id, name, detail_level: level, outputs_stale: isStale, render_error: error } = artifact
  const named = name.toLowerCase().includes(level) ? [] : [sentenceCase(level)]
  const note = [...named, ...(isStale ? [STALE] : [])].join(' · ')
  const [, ...further] = artifact.output_paths.filter((path) => path.endsWith('.svg'))
  const isFailed = artifact.render_status === 'error' && error !== null
  const failed = isFailed ? [remark(`The last drawing failed: ${error}`)] : []
  const first = { key: id, title: name }
  const others = further.map((path) => ({
    key: `${id}/${path}`,
    title: `${name}: ${path.replace(/^diagram-|\.svg$/g, '')}`,
  }))
  return [first, ...others].map(({ key, title }) => ({
    type: 'figure',
    artifact: key,
    alt: title,
    above: [{ ...heading(2, title), note }, ...failed],
  }))
}

const STALE = 'The source has changed since this was rendered.'

function documents(records: VersionRecords, sections: ReadonlySet<Section>): readonly PdfPart[] {
  const { artifacts, client, project } = records
  const own = [client.name, project.name].join(' ')
  return artifacts
    .filter((artifact) => !isDrawn(artifact))
    .filter(({ source_code: source }) => !sections.has('coverage') || !isChecklist(source ?? ''))
    .flatMap(({ name, source_code: source }) =>
      section(name, [
        source?.trim()
          ? {
              ...markdown(saidOnce(source, records, sections), 1),
              inReport: true,
              titleWords: `${name} ${own}`,
            }
          : remark('Empty.'),
      ]),
    )
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

/** The PDF parts of an artifact: a diagram's last picture, or the text; may be empty. */
export function artifactParts(artifact: Artifact): readonly PdfPart[] {
  const { name, source_code: source, render_error: error } = artifact
  if (isDrawn(artifact) && artifact.output_paths.some((path) => path.endsWith('.svg'))) {
    const above = artifact.outputs_stale ? [remark(STALE)] : []
    const [first, ...others] = figures(artifact)
    return [{ ...first, above }, ...others]
  }
  if (!source?.trim()) return []
  if (!isDrawn(artifact)) return [{ ...markdown(source, 0), titleWords: name }]
  return [
    remark(error === null ? 'Not rendered; its source:' : `Not rendered: ${error}`),
    { type: 'pre', value: source, language: null },
  ]
}
