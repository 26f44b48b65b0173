import type { Change, Changed, Named, VersionDiff } from '../../src/changes/differences.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { ask, read } from '../kit/api.ts'
import { announce, button, element, failure, prose, save } from '../kit/element.ts'
import { choiceField } from '../kit/field.ts'
import { fill } from '../kit/loading.ts'

const KINDS = {
  decisions: 'Decisions',
  questions: 'Questions',
  artifacts: 'Diagrams and documents',
  coverage: 'Coverage',
  inventory: 'Inventory',
  uploads: 'Files',
} as const

/** What changed since another version of the project. */
export async function compare({ path, version, versions }: VersionPage): Promise<Node> {
  const others = versions.filter(({ id }) => id !== version.id)
  const before = versions[versions.findIndex(({ id }) => id === version.id) - 1] ?? others[0]
  if (!before) return prose('There is no other version to compare with.')
  const numbers = others.map(({ id, version_number: number }) => [id, number])
  const against = choiceField('against', 'Compare with', Object.fromEntries(numbers)).make()
  against.set(before.id)
  const place = element('div', {})
  const address = (): string => `${path}/diff?against=${against.get() as string}`
  const show = (): Promise<void> =>
    fill(place, async () => differences(await read<VersionDiff>(address())))
  against.part.addEventListener('change', () => void show())
  const state = element('div', {})
  const load = async (): Promise<void> => {
    const text = await (await ask(`${address()}&format=markdown`)).blob()
    save(text, `changes ${version.version_number}.md`)
    announce('Saved.')
  }
  const keep = button('Save as Markdown', () => {
    load().catch((error: unknown) => state.replaceChildren(failure(error)))
  })
  await show()
  return element('div', {}, element('div', { className: 'row' }, against.part, keep), state, place)
}

function differences(diff: VersionDiff): Node {
  const kinds = Object.entries(KINDS) as [keyof typeof KINDS, string][]
  const parts = kinds.flatMap(([kind, title]) => {
    const { added, removed, changed } = diff[kind]
    if (added.length + removed.length + changed.length === 0) return []
    return [
      element('h3', {}, title),
      element(
        'ul',
        {},
        ...added.map((one) => element('li', { className: 'good' }, `Added: ${nameOf(one)}`)),
        ...removed.map((one) => element('li', { className: 'bad' }, `Removed: ${nameOf(one)}`)),
        ...changed.map(changedItem),
      ),
    ]
  })
  const { scope } = diff
  const own = scope.length > 0 ? [element('h3', {}, 'Version'), changeList(scope)] : []
  const all: readonly Node[] = [...own, ...parts]
  return element('div', {}, ...(all.length > 0 ? all : [prose('Nothing differs.')]))
}

/** What distinguishes a record from others, without its id. */
function nameOf(record: Named): string {
  const { id: _, ...shown } = record
  return Object.values(shown)
    .filter((value) => value !== null)
    .join(', ')
}

function changedItem({ record, changes }: Changed): Node {
  const name = element('summary', {}, `Changed: ${nameOf(record)}`)
  return element('li', {}, element('details', {}, name, changeList(changes)))
}

function changeList(changes: readonly Change[]): HTMLElement {
  const rows = changes.flatMap(({ field, from, to, diff }) => [
    element('dt', {}, field.replaceAll('_', ' ')),
    diff
      ? element('dd', {}, element('pre', { tabIndex: 0 }, diff))
      : element(
          'dd',
          {},
          element('del', {}, String(from ?? '')),
          ' ',
          element('ins', {}, String(to ?? '')),
        ),
  ])
  return element('dl', {}, ...rows)
}
