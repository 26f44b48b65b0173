import type { VersionPage } from '../desk/version-page.ts'
import { ask } from '../kit/api.ts'
import { announce, button, element, failure, save } from '../kit/element.ts'

/** The project as one file for an import, and the decisions as Markdown. */
export async function exports({ path, project, version }: VersionPage): Promise<Node> {
  const state = element('div', { ariaLive: 'polite' })
  const files = [
    ['Save the whole project as ZIP', `/projects/${project.id}/bundle`, `${project.name}.zip`],
    ['Save the decisions as Markdown', `${path}/adrs`, `decisions ${version.version_number}.md`],
  ] as const
  const buttons = files.map(([name, address, file]) => {
    const load = async (): Promise<void> => {
      state.textContent = 'It is being made.'
      save(await (await ask(address, { accept: 'text/markdown, */*;q=0.1' })).blob(), file)
      state.textContent = `Saved: ${file}`
      announce(`Saved: ${file}`)
    }
    return button(name, () => {
      load().catch((error: unknown) => state.replaceChildren(failure(error)))
    })
  })
  return element('div', {}, element('div', { className: 'row' }, ...buttons), state)
}
