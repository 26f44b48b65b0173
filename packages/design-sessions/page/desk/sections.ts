import { diagrams } from '../artifacts/diagrams.ts'
import { documents } from '../artifacts/documents.ts'
import { reportForm } from '../artifacts/report-form.ts'
import { decisions } from '../decisions/decisions.ts'
import { coverage } from '../session/coverage.ts'
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
  coverage: {
    title: 'Coverage',
    parts: [
      ['Coverage gate', gate],
      ['Recorded items', ({ path }) => coverage(path)],
    ],
  },
  questions: { title: 'Questions', parts: [['Questions', questions]] },
  decisions: { title: 'Decisions', parts: [['Decisions', decisions]] },
  diagrams: { title: 'Diagrams', parts: [['Diagrams', ({ path }) => diagrams(path)]] },
  documents: { title: 'Documents', parts: [['Documents', ({ path }) => documents(path)]] },
  report: {
    title: 'Report',
    parts: [['Report', ({ path, project }) => reportForm(path, project.name)]],
  },
}
