import type { Section } from '../../src/documents/report.ts'
import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, read, type Sent } from '../kit/api.ts'
import { announce, element, failure, save } from '../kit/element.ts'
import { rendered, said } from './rendering.ts'

const SECTIONS: Readonly<Record<Section, string>> = {
  overview: 'Overview',
  diagrams: 'Diagrams',
  documents: 'Documents',
  decisions: 'Decisions',
  questions: 'Questions and answers',
  coverage: 'Coverage',
  exclusions: 'Excluded by facts',
  coverage_items: 'All coverage items',
}

/** Sections to choose, and the report as a file. */
export async function reportForm(path: string, name: string): Promise<Node> {
  const boxes = Object.entries(SECTIONS).map(([value, text]) => {
    const box = element('input', { type: 'checkbox', value, checked: value !== 'coverage_items' })
    return { box, label: element('label', {}, box, ` ${text}`) }
  })
  const state = element('div', {})
  const load = async (): Promise<void> => {
    state.replaceChildren('The report is being made.')
    const sections = boxes.flatMap(({ box }) => (box.checked ? [box.value] : []))
    const report = `${path}/artifacts/${await reportId(path)}`
    // It also says what the report lacks, which is saved all the same.
    const row = await rendered(report)
    const pdf = await ask(`${report}/export-pdf?sections=${sections.join(',')}`)
    save(await pdf.blob(), `${name}.pdf`)
    state.replaceChildren('The report has been saved.', ...said(row))
    announce('The report has been saved.')
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    load().catch((error: unknown) => state.replaceChildren(failure(error)))
  }
  return element(
    'form',
    { onsubmit },
    element('fieldset', {}, element('legend', {}, 'Sections'), ...boxes.map(({ label }) => label)),
    element('p', {}, element('button', {}, 'Save the report as PDF')),
    state,
  )
}

async function reportId(path: string): Promise<string> {
  const list = `${path}/artifacts?artifact_type=pdf_report&limit=1`
  const [found] = await read<readonly Sent<Artifact>[]>(list)
  if (found) return found.id
  const body = { name: 'Report', artifact_type: 'pdf_report' }
  return (await read<Sent<Artifact>>(`${path}/artifacts`, { method: 'POST', body })).id
}
