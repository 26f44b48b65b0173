import { diagrams } from '../artifacts/diagrams.ts'
import { documents } from '../artifacts/documents.ts'
import { inventory } from '../artifacts/inventory.ts'
import { reportForm } from '../artifacts/report-form.ts'
import { uploads } from '../artifacts/uploads.ts'
import { compare } from '../changes/compare.ts'
import { exports } from '../changes/export.ts'
import { history } from '../changes/history.ts'
import { signOff } from '../changes/sign-off.ts'
import { decisions } from '../decisions/decisions.ts'
import { coverage } from '../session/coverage.ts'
import { search } from '../library/search.ts'
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
  | 'files'
  | 'search'
  | 'compare'
  | 'report'
  | 'history'

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
  documents: { title: 'Documents', parts: [['Documents', documents]] },
  files: {
    title: 'Files',
    parts: [
      ['Files', ({ path }) => uploads(path)],
      ['Inventory', ({ path }) => inventory(path)],
    ],
  },
  search: { title: 'Search', parts: [['Search', ({ version }) => search(version.id)]] },
  compare: { title: 'Compare', parts: [['Compare', compare]] },
  report: {
    title: 'Report',
    parts: [
      ['Report', ({ path, project }) => reportForm(path, project.name)],
      ['Export', exports],
      ['Sign-off', signOff],
    ],
  },
  history: { title: 'History', parts: [['History', ({ project }) => history(project.id)]] },
}
