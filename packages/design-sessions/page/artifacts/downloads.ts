import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, type Sent } from '../kit/api.ts'
import { announce, button, element, failure, save } from '../kit/element.ts'

/** Buttons that save an artifact: as PDF, and each of its pictures as SVG and as PNG. */
export function downloads(
  path: string,
  { id, name }: Sent<Artifact>,
  files: readonly string[] = [],
): Node {
  const at = `${path}/artifacts/${id}`
  const pictures = files.filter((file) => file.endsWith('.svg'))
  const all: readonly (readonly [format: string, address: string, file: string])[] = [
    ['PDF', `${at}/export-pdf`, `${name}.pdf`],
    ...pictures.flatMap((file, i) => {
      const title = pictures.length > 1 ? `${name} ${i + 1}` : name
      const png = file.replace(/svg$/, 'png')
      return [
        [`SVG`, `${at}/outputs/${file}`, `${title}.svg`] as const,
        [`PNG`, `${at}/outputs/${png}`, `${title}.png`] as const,
      ]
    }),
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
