import type { Adr } from '../../src/records/adrs.ts'
import type { Sent } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { listing } from '../kit/listing.ts'
import { diagrams } from '../artifacts/diagrams.ts'
import { documents } from '../artifacts/documents.ts'
import { reportForm } from '../artifacts/report-form.ts'
import { gate } from '../session/gate.ts'
import { questions } from '../session/questions.ts'
import { overview } from './overview.ts'
import type { VersionPage } from './version-page.ts'

interface Section {
  readonly title: string
  readonly parts: readonly (readonly [title: string, load: (page: VersionPage) => Promise<Node>])[]
}

export type SectionName =
  | 'overview'
  | 'coverage'
  | 'questions'
  | 'decisions'
  | 'diagrams'
  | 'documents'
  | 'report'

/** The sections of a version, in the order of a session. */
export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  overview: { title: 'Overview', parts: [['Overview', overview]] },
  coverage: { title: 'Coverage', parts: [['Coverage gate', ({ path }) => gate(path)]] },
  questions: { title: 'Questions', parts: [['Questions', ({ path }) => questions(path)]] },
  decisions: {
    title: 'Decisions',
    parts: [
      ['Decisions', ({ path }) => listing<Adr>(`${path}/adrs`, decision, 'No decisions yet.')],
    ],
  },
  diagrams: { title: 'Diagrams', parts: [['Diagrams', ({ path }) => diagrams(path)]] },
  documents: { title: 'Documents', parts: [['Documents', ({ path }) => documents(path)]] },
  report: {
    title: 'Report',
    parts: [['Report', ({ path, project }) => reportForm(path, project.name)]],
  },
}

function decision({
  adr_number: number,
  title,
  status,
  updated_at: time,
  ...adr
}: Sent<Adr>): Node {
  const name = `ADR-${String(number).padStart(3, '0')} ${title}`
  const parts = [
    ['Context', adr.context],
    ['Decision', adr.decision],
    ['Consequences', adr.consequences],
  ]
  return element(
    'article',
    {},
    element('h3', {}, name),
    element('p', { className: 'pale' }, `${status}, ${time.slice(0, 10)}`),
    element(
      'details',
      {},
      element('summary', {}, 'Text'),
      ...parts.flatMap(([heading, text]) => [element('h4', {}, heading), prose(text)]),
    ),
  )
}
