import type { Adr } from '../../src/records/adrs.ts'
import { readPage, readRecord } from '../kit/api.ts'
import { button, element, prose } from '../kit/element.ts'
import { fill } from '../kit/loading.ts'
import { recordForm } from '../kit/record-form.ts'
import { type RecordKind, focusFirst, recordArticle, recordList } from '../kit/record-list.ts'
import { addressOf } from '../desk/place.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { DECISION_FIELDS, NEW_DECISION } from './decision-fields.ts'
import { decisionNodes } from './decision-nodes.ts'
import { graph } from './graph.ts'
import { type Decision, numberOf } from './relations.ts'
import { timeline } from './timeline.ts'

const VIEWS = { list: 'List', graph: 'Graph', timeline: 'Timeline' } as const

type View = keyof typeof VIEWS

/** Decisions that are drawn. */
const DRAWN_MAX = 300

/** The view that was chosen last. */
let chosen: View = 'list'

/** The decisions of a version as a list to work with, as a graph, and as a timeline. */
export async function decisions({ place, path, version }: VersionPage): Promise<HTMLElement> {
  const part = element('div', {})
  const addressIn = ({ id }: Decision): string =>
    addressOf({ ...place, version: version.id, section: 'decisions', record: id })
  const load = async (view: View, record?: string): Promise<Node> => {
    const { rows, next } = await readPage<Adr>(`${path}/adrs?limit=${DRAWN_MAX}`)
    const changed = (id?: string): void => void show('list', id)
    const kind = decisionKind({ path: `${path}/adrs`, known: rows, addressIn, changed })
    const isCut = view !== 'list' && next !== undefined
    return element(
      'div',
      {},
      viewButtons(view, (other) => void show(other)),
      ...(isCut ? [prose(`The first ${rows.length} decisions.`)] : []),
      view === 'list' || rows.length === 0
        ? await listView(kind, record)
        : (view === 'graph' ? graph : timeline)(rows, addressIn),
    )
  }
  const show = async (view: View, record?: string): Promise<void> => {
    chosen = view
    await fill(part, () => load(view, record))
    const focused = record === undefined ? part.querySelector('[aria-pressed=true]') : undefined
    const target = focused ?? part.querySelector(`[id="${record}"]`)
    if (target instanceof HTMLElement) target.focus()
  }
  chosen = place.record === undefined ? chosen : 'list'
  await fill(part, () => load(chosen, place.record))
  return part
}

function viewButtons(shown: View, choose: (view: View) => void): Node {
  const buttons = Object.entries(VIEWS).map(([view, name]) => {
    const made = button(name, () => choose(view as View))
    made.ariaPressed = String(view === shown)
    return made
  })
  return element('div', { className: 'row', role: 'group', ariaLabel: 'View' }, ...buttons)
}

/** The list; a record beyond its beginning is put first. */
async function listView(kind: RecordKind<Adr>, record: string | undefined): Promise<Node> {
  const list = await recordList(kind)
  if (record !== undefined && !list.querySelector(`[id="${record}"]`)) {
    list.prepend(recordArticle(kind, (await readRecord<Adr>(`${kind.path}/${record}`)).row))
  }
  return list
}

interface Decisions {
  readonly path: string
  readonly known: readonly Decision[]
  readonly addressIn: (decision: Decision) => string
  readonly changed: (id?: string) => void
}

function decisionKind({ path, known, addressIn, changed }: Decisions): RecordKind<Adr> {
  const title = (one: Decision): string => `${numberOf(one)} ${one.title}`
  return {
    path,
    noun: 'decision',
    nothing: 'No decisions yet.',
    fields: DECISION_FIELDS,
    initial: NEW_DECISION,
    title,
    shown: (one) => decisionNodes(one, known, addressIn),
    changed,
    actions: (one, article) => {
      if (one.superseded_by !== null) return []
      const supersede = button('Supersede', () => {
        const place = element('div', {})
        article.append(place)
        supersede.disabled = true
        const cancelled = (): void => {
          place.remove()
          supersede.disabled = false
          supersede.focus()
        }
        const form = (): Promise<Node> =>
          recordForm<Adr>({
            path: `${path}/${one.id}/supersede`,
            name: `Supersede ${title(one)}`,
            initial: { ...NEW_DECISION, status: 'accepted' },
            fields: DECISION_FIELDS,
            saveName: `Replace ${numberOf(one)}`,
            saved: ({ id }) => changed(id),
            cancelled,
          })
        void fill(place, form).then(() => focusFirst(place))
      })
      supersede.ariaLabel = `Supersede ${title(one)}`
      return [supersede]
    },
  }
}
