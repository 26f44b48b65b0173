import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, type Sent } from '../kit/api.ts'
import { announce, button, element, failure, save } from '../kit/element.ts'

type Download = readonly [format: string, address: string, file: string]

/** Buttons that save an artifact: as PDF, and what it was rendered to, pictures also as PNG. */
export function downloads(path: string, row: Sent<Artifact>): Node {
  const { id, name, output_paths: files } = row
  const at = `${path}/artifacts/${id}`
  const pictures = files.filter((file) => file.endsWith('.svg'))
  const titleOf = (i: number): string => (pictures.length > 1 ? `${name} ${i + 1}` : name)
  const output = (format: string, file: string, title: string): Download => [
    format,
    `${at}/outputs/${file}`,
    `${title}.${format.toLowerCase()}`,
  ]
  const all: readonly Download[] = [
    ['PDF', `${at}/export-pdf`, `${name}.pdf`],
    ...files.filter((file) => file.endsWith('.html')).map((file) => output('HTML', file, name)),
    ...pictures.flatMap((file, i) => [
      output('SVG', file, titleOf(i)),
      output('PNG', file.replace(/svg$/, 'png'), titleOf(i)),
    ]),
  ]
  const state = element('div', {})
  const buttons = all.map(([format, address, file]) => {
    const load = async (): Promise<void> => {
      save(await (await ask(address)).blob(), file)
      state.replaceChildren()
      announce(`Saved: ${file}`)
    }
    const made = button(`Save as ${format}`, () => {
      load().catch((error: unknown) => state.replaceChildren(failure(error)))
    })
    made.ariaLabel = `Save as ${format}: ${file}`
    return made
  })
  return element('div', {}, element('div', { className: 'row' }, ...buttons), state)
}
