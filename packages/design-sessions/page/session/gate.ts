import type { CoverageItem } from '../../src/records/coverage.ts'
import type { Question } from '../../src/records/questions.ts'
import type { ExcludedItem } from '../../src/workflow/exclusions.ts'
import type { Blocker, Gate } from '../../src/workflow/gate.ts'
import { addressOf } from '../desk/place.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { read, type Sent } from '../kit/api.ts'
import { announce, button, element, failure } from '../kit/element.ts'
import { choiceField, lineField } from '../kit/field.ts'
import { fill } from '../kit/loading.ts'
import { recordForm } from '../kit/record-form.ts'
import { facts } from './facts.ts'
import { record } from './settle.ts'

/** Those of a first workshop. */
const ENTRIES_SHOWN = 60

const ASIDE_FIELDS = [
  choiceField(
    'status',
    'State',
    { deferred: 'Deferred', na: 'Not applicable' },
    {
      isRequired: true,
    },
  ),
  lineField('reason', 'Reason', { isRequired: true }),
]

/** The coverage gate of a version; what keeps it closed can be asked or put aside in place. */
export async function gate(shown: VersionPage): Promise<HTMLElement> {
  const place = element('div', {})
  const show = async (isListed: boolean): Promise<void> => {
    const { open, categories, blockers } = await read<Gate>(`${shown.path}/coverage/gate`)
    const list = element(
      'details',
      { open: isListed },
      element('summary', {}, 'What keeps it closed'),
      entries(blockers, (one) => blocker(shown, one, () => show(true))),
    )
    const state = open
      ? element('p', { className: 'good' }, 'Open: diagrams can be drawn.')
      : element(
          'p',
          { className: 'bad' },
          `Closed by ${blockers.length} critical ${blockers.length === 1 ? 'item' : 'items'}.`,
        )
    const counts = categories.length > 0 ? [table(categories)] : []
    const others = [leftOut(shown, 'na'), leftOut(shown, 'deferred')]
    place.replaceChildren(state, ...counts, ...(open ? [] : [list]), ...others)
  }
  await show(false)
  const said = await facts(shown.path, () => {
    show(false).catch((error: unknown) => place.replaceChildren(failure(error)))
  })
  return element('div', {}, said, place)
}

function table(categories: Gate['categories']): HTMLElement {
  const head = ['Category', 'Covered', 'Critical'].map((name) =>
    element('th', { scope: 'col' }, name),
  )
  const rows = categories.map(({ category, critical_covered: covered, critical_total: total }) => {
    const cells = [category, String(covered), String(total)]
    return element('tr', {}, ...cells.map((cell) => element('td', {}, cell)))
  })
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  )
}

/** An item, to be asked, or put aside with a reason. */
function blocker(shown: VersionPage, one: Blocker, onSettled: () => Promise<void>): HTMLElement {
  const form = element('div', {})
  const aside = element('details', {}, element('summary', {}, 'Put it aside'), form)
  aside.addEventListener('toggle', () => void fill(form, () => asideForm(shown, one, onSettled)), {
    once: true,
  })
  return entry(shown, one, one.knowledge_file, aside)
}

type Item = Pick<Blocker, 'knowledge_file' | 'item_text'> & { readonly priority: string }

/** An item with a button that asks it. */
function entry(shown: VersionPage, one: Item, about: string, ...more: Node[]): HTMLElement {
  const result = element('div', {})
  const question = button('Ask it', () => {
    asked(shown, one).catch((error: unknown) => result.replaceChildren(failure(error)))
  })
  question.ariaLabel = `Ask it: ${one.item_text}`
  return element(
    'li',
    {},
    one.item_text,
    ' ',
    element('span', { className: 'pale' }, about),
    element('div', { className: 'row' }, question, ...more),
    result,
  )
}

function entries<One>(all: readonly One[], entryOf: (one: One) => HTMLElement): HTMLElement {
  const more = all.length - ENTRIES_SHOWN
  const rest = more > 0 ? [element('li', {}, `and ${more} more`)] : []
  return element('ul', {}, ...all.slice(0, ENTRIES_SHOWN).map(entryOf), ...rest)
}

const LEFT_OUT = { na: 'What does not apply', deferred: 'What a later stage asks' } as const

/** Critical items that facts leave out, with the fact; each can be asked all the same. */
function leftOut(shown: VersionPage, why: keyof typeof LEFT_OUT): HTMLElement {
  const list = element('div', {})
  const load = async (): Promise<Node> => {
    const all = await read<readonly ExcludedItem[]>(`${shown.path}/coverage/excluded`)
    const items = all.filter(({ status, priority }) => status === why && priority === 'Critical')
    if (items.length === 0) return element('p', {}, 'Nothing is left out.')
    return entries(items, (one) => entry(shown, one, one.reason))
  }
  const details = element('details', {}, element('summary', {}, LEFT_OUT[why]), list)
  details.addEventListener('toggle', () => void fill(list, load), { once: true })
  return details
}

function asideForm(
  { path }: VersionPage,
  { knowledge_file, item_text, priority, coverage_id: id }: Blocker,
  onSettled: () => Promise<void>,
): Promise<Node> {
  const list = `${path}/coverage`
  const common = {
    name: `Put aside ${item_text}`,
    fields: ASIDE_FIELDS,
    saved: (): void => void onSettled(),
  }
  if (id !== null) return recordForm<CoverageItem>({ ...common, path: `${list}/${id}` })
  const constants = { knowledge_file, item_text, priority }
  const initial = { status: 'deferred', reason: '' }
  return recordForm<CoverageItem>({ ...common, path: list, constants, initial })
}

/** Makes an item a question of the version, and shows that. */
async function asked({ path, place, version }: VersionPage, one: Item): Promise<void> {
  const { knowledge_file: file, item_text: text, priority } = one
  const { id } = await read<Sent<Question>>(`${path}/questions`, {
    method: 'POST',
    body: { question_text: text },
  })
  await record(path, { file, text, priority }, { question_id: id })
  announce('Asked.')
  location.hash = addressOf({ ...place, version: version.id, section: 'questions', record: id })
}
