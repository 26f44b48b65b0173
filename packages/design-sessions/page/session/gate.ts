import type { Blocker, Gate } from '../../src/workflow/gate.ts'
import { ask, read } from '../kit/api.ts'
import { announce, element, failure } from '../kit/element.ts'

const BLOCKERS_SHOWN = 50

const SETTLED = { deferred: 'Deferred', na: 'Not applicable' } as const

/** The coverage gate of a version; what keeps it closed can be put aside in place. */
export async function gate(path: string): Promise<HTMLElement> {
  const place = element('div', {})
  const show = async (isListed: boolean): Promise<void> => {
    const { open, categories, blockers } = await read<Gate>(`${path}/coverage/gate`)
    const list = element(
      'details',
      { open: isListed },
      element('summary', {}, 'What keeps it closed'),
      element(
        'ul',
        {},
        ...blockers.slice(0, BLOCKERS_SHOWN).map((one) => blocker(path, one, () => show(true))),
        ...(blockers.length > BLOCKERS_SHOWN
          ? [element('li', {}, `and ${blockers.length - BLOCKERS_SHOWN} more`)]
          : []),
      ),
    )
    const state = open
      ? element('p', { className: 'good' }, 'Open: diagrams can be drawn.')
      : element(
          'p',
          { className: 'bad' },
          `Closed by ${blockers.length} critical ${blockers.length === 1 ? 'item' : 'items'}.`,
        )
    const counts = categories.length > 0 ? [table(categories)] : []
    place.replaceChildren(state, ...counts, ...(open ? [] : [list]))
  }
  await show(false)
  return place
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

/** An item with a form that defers it, or states that it does not apply. */
function blocker(path: string, one: Blocker, onSettled: () => Promise<void>): HTMLElement {
  const { knowledge_file: file, item_text: text, coverage_id: id, priority } = one
  const states = Object.entries(SETTLED).map(([value, name]) => element('option', { value }, name))
  const status = element('select', { ariaLabel: `State of: ${text}` }, ...states)
  const reason = element('input', {
    ariaLabel: `Reason for: ${text}`,
    placeholder: 'Reason',
    required: true,
    // Spaces are no reason.
    pattern: String.raw`.*\S.*`,
  })
  const result = element('div', {})
  const store = async (): Promise<void> => {
    const fields = { status: status.value, reason: reason.value }
    if (id) await ask(`${path}/coverage/${id}`, { method: 'PATCH', body: fields })
    else {
      const body = { knowledge_file: file, item_text: text, priority, ...fields }
      await ask(`${path}/coverage`, { method: 'POST', body })
    }
    await onSettled()
    announce('Saved.')
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    store().catch((error: unknown) => result.replaceChildren(failure(error)))
  }
  const save = element('button', {}, 'Save')
  const row = element('p', { className: 'row' }, status, reason, save)
  const form = element('form', { onsubmit }, row, result)
  return element(
    'li',
    {},
    text,
    ' ',
    element('span', { className: 'pale' }, file),
    element('details', {}, element('summary', {}, 'Put it aside'), form),
  )
}
