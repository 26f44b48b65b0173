import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, type Sent } from '../kit/api.ts'
import { announce, button, element, failure, prose, save } from '../kit/element.ts'
import { listing } from '../kit/listing.ts'

/** Documents of a version: their Markdown, and each as a PDF. */
export function documents(path: string): Promise<HTMLElement> {
  const list = `${path}/artifacts?artifact_type=document`
  return listing<Artifact>(list, (one) => written(path, one), 'No documents yet.')
}

function written(path: string, { id, name, source_code: text }: Sent<Artifact>): Node {
  const title = element('h3', {}, name)
  if (!text) return element('article', {}, title, prose('Nothing is written yet.'))
  const state = element('div', {})
  const load = async (): Promise<void> => {
    const pdf = await ask(`${path}/artifacts/${id}/export-pdf`)
    save(await pdf.blob(), `${name}.pdf`)
    state.replaceChildren()
    announce('The document has been saved.')
  }
  const pdf = button('Save as PDF', () => {
    load().catch((error: unknown) => state.replaceChildren(failure(error)))
  })
  pdf.ariaLabel = `Save as PDF: ${name}`
  const details = element('details', {}, element('summary', {}, 'Text'), prose(text))
  return element('article', {}, title, details, pdf, state)
}
