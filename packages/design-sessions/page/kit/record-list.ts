import { type Sent, ask, readRecord } from './api.ts'
import type { Values } from './draft.ts'
import { announce, button, element, failure } from './element.ts'
import type { Field } from './field.ts'
import { listing } from './listing.ts'
import { fill } from './loading.ts'
import { recordForm } from './record-form.ts'

interface Stored {
  readonly id: string
  readonly updated_at: Date
}

/** How the records of one kind are shown, created, changed and deleted. */
export interface RecordKind<Row extends Stored> {
  /** of the list */
  readonly path: string
  /** of the rows that are shown, such as `?artifact_type=diagram` */
  readonly filter?: string
  /** such as `question` */
  readonly noun: string
  readonly nothing: string
  /** of each record; `h3` by default */
  readonly heading?: 'h2' | 'h3'
  /** of a new record */
  readonly fields: readonly Field[]
  /** of one that is changed; by default those of a new one */
  readonly changeFields?: readonly Field[]
  /** of the button that begins a change; `Edit` by default */
  readonly editName?: string
  readonly initial: Values
  /** adds what follows from what is sent */
  readonly completed?: (changes: Values, all: Values) => Values
  /** sent with a new record, without a field */
  readonly constants?: object
  readonly title: (row: Sent<Row>) => string
  readonly shown: (row: Sent<Row>) => readonly Node[]
  /** beside the buttons of every record */
  readonly actions?: (row: Sent<Row>, article: HTMLElement) => readonly Node[]
  /** replaces the form of a record */
  readonly editor?: (row: Sent<Row> | undefined, ends: EditorEnds<Row>) => Promise<Node>
  /** shows everything again after a change; by default only the record itself is shown again */
  readonly changed?: (id: string | undefined) => void
}

export interface EditorEnds<Row> {
  readonly saved: (row: Sent<Row>) => void
  readonly cancelled: () => void
}

/** A list of records to work with; new ones are added at its end. */
export async function recordList<Row extends Stored>(kind: RecordKind<Row>): Promise<HTMLElement> {
  const list = await listing<Row>(
    kind.path + (kind.filter ?? ''),
    (row) => recordArticle(kind, row),
    kind.nothing,
  )
  return element('div', {}, list, newRecord(kind, list))
}

/** A button that becomes the form of a new record. */
function newRecord<Row extends Stored>(kind: RecordKind<Row>, list: HTMLElement): HTMLElement {
  const place = element('div', {})
  const close = (): void => place.replaceChildren(open)
  const saved = (row: Sent<Row>): void => {
    close()
    if (kind.changed) return kind.changed(row.id)
    list.querySelector(':scope > .nothing')?.remove()
    const article = recordArticle(kind, row)
    list.append(article)
    article.focus()
  }
  const cancelled = (): void => {
    close()
    open.focus()
  }
  const name = `New ${kind.noun}`
  const form = (): Promise<Node> =>
    kind.editor?.(undefined, { saved, cancelled }) ??
    recordForm<Row>({ ...kind, name, saved, cancelled, saveName: `Create ${kind.noun}` })
  const open = button(name, () => void fill(place, form).then(() => focusFirst(place)))
  close()
  return place
}

/** One record, which takes the focus after a change. */
export function recordArticle<Row extends Stored>(
  kind: RecordKind<Row>,
  row: Sent<Row>,
): HTMLElement {
  const title = kind.title(row)
  const { updated_at: seen }: { readonly updated_at: unknown } = row
  const article = element('article', { id: row.id, tabIndex: -1, ariaLabel: title })
  const showAgain = (now: Sent<Row>): void => {
    if (kind.changed) return kind.changed(now.id)
    const other = recordArticle(kind, now)
    article.replaceWith(other)
    other.focus()
  }
  const path = `${kind.path}/${row.id}`
  const ends = { saved: showAgain, cancelled: () => showAgain(row) }
  const form = (): Promise<Node> => {
    const { constants: _, initial: __, changeFields = kind.fields, ...others } = kind
    const options = { ...others, path, fields: changeFields, name: `Change ${title}`, ...ends }
    return kind.editor?.(row, ends) ?? recordForm<Row>(options)
  }
  const titled = async (): Promise<Node> => {
    const content = await form()
    return element('div', {}, element(kind.heading ?? 'h3', {}, title), content)
  }
  const { editName = 'Edit' } = kind
  const edit = button(editName, () => {
    void fill(article, titled).then(() => focusFirst(article))
  })
  edit.ariaLabel = `${editName} ${title}`
  const gone = (): void => {
    if (kind.changed) return kind.changed(undefined)
    article.replaceWith(element('p', { className: 'pale' }, `Deleted: ${title}`))
  }
  const buttons = element(
    'div',
    { className: 'row' },
    ...(kind.actions?.(row, article) ?? []),
    edit,
    removal(path, title, String(seen), gone),
  )
  article.append(
    element('div', { className: 'head' }, element(kind.heading ?? 'h3', {}, title), buttons),
    ...kind.shown(row),
  )
  return article
}

/** A button that deletes a record, once that is confirmed, unless it has been changed since. */
export function removal(path: string, title: string, seen: string, gone: () => void): HTMLElement {
  const place = element('div', { className: 'row' })
  const remove = async (): Promise<void> => {
    const { row, etag } = await readRecord<{ updated_at: string }>(path)
    if (row.updated_at !== seen) throw new Error('Somebody else has changed it: look at it again.')
    await ask(path, { method: 'DELETE', etag })
    announce(`Deleted: ${title}`)
    gone()
  }
  const begin = button('Delete', () => {
    const sure = button('Delete it and all it has', () => {
      remove().catch((error: unknown) => place.replaceChildren(failure(error), begin))
    })
    const keep = button('Keep it', () => {
      place.replaceChildren(begin)
      begin.focus()
    })
    place.replaceChildren(sure, keep)
    keep.focus()
  })
  begin.ariaLabel = `Delete ${title}`
  place.append(begin)
  return place
}

/** Puts the focus into the first field of a form. */
export function focusFirst(place: HTMLElement): void {
  place.querySelector<HTMLElement>('input, textarea, select')?.focus()
}
