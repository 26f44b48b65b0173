import type { AuditEntry } from '../../src/records/audit.ts'
import { type Found, type Sent, Refusal, read, readPage, readRecord } from './api.ts'
import { type Draft, type Values, clashes, equal, keepDraft, picked, readDraft } from './draft.ts'
import { announce, button, element, failure } from './element.ts'
import type { Field, Input } from './field.ts'

/** Records that are looked through. */
const LIST_MAX = 1000

/** How a record is read and changed. */
interface RecordStore<Row> {
  readonly read: () => Promise<Found<Values>>
  /** @throws {Refusal} 412 when it has been changed since */
  readonly change: (changes: Values, all: Values, etag: string | null) => Promise<Sent<Row>>
}

export interface FormOptions<Row> {
  /** of the record, or of the list that gets a new one */
  readonly path: string
  /** what a new record begins with; undefined for a record that is changed */
  readonly initial?: Values
  /** by default a record that is read and patched at its path */
  readonly store?: RecordStore<Row>
  /** sent with a new record, without a field */
  readonly constants?: object
  /** for screen readers */
  readonly name: string
  readonly fields: readonly Field[]
  /** adds what follows from what is sent */
  readonly completed?: (changes: Values, all: Values) => Values
  readonly saved: (row: Sent<Row>) => void
  readonly cancelled?: () => void
  readonly saveName?: string
}

/**
 * A form that creates or changes a record. What is typed is kept as a draft until it is saved.
 * Where somebody else has changed the record meanwhile, fields are merged, and a field that both
 * have changed is shown in both states.
 */
export async function recordForm<Row>(options: FormOptions<Row>): Promise<HTMLFormElement> {
  const { path, initial, fields, name, cancelled } = options
  const found = initial === undefined ? await storeOf(options).read() : { row: initial, etag: null }
  const inputs = new Map(fields.map((field) => [field.name, field.make()]))
  const draftKey = initial === undefined ? path : `${path} ${name}`
  const edited = new Edited(inputs, found, readDraft(draftKey))
  const note = element('div', {})
  const send = element('button', {}, options.saveName ?? 'Save')
  const finish = (): void => keepDraft(draftKey, { values: {}, base: {} })
  const keep = (): void => keepDraft(draftKey, edited.draft())
  const showClashes = (other?: string): void => {
    const changed = (): void => showClashes(other)
    note.replaceChildren(...clashNotes(edited, fields, other ?? 'Somebody else', changed))
    keep()
  }
  const submit = async (): Promise<void> => {
    const row = await stored<Row>(options, edited)
    if (row === undefined) return showClashes(await lastAuthor(edited.row))
    finish()
    announce('Saved.')
    options.saved(row)
  }
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (send.disabled) return
    send.disabled = true
    note.replaceChildren()
    submit()
      .catch((error: unknown) => note.replaceChildren(failure(error)))
      .finally(() => (send.disabled = false))
  }
  const cancel = button('Cancel', () => {
    finish()
    cancelled?.()
  })
  const form = element(
    'form',
    { onsubmit, ariaLabel: name, oninput: keep },
    ...[...inputs.values()].map(({ part }) => part),
    element('p', { className: 'row' }, send, ...(cancelled ? [cancel] : [])),
    note,
  )
  showClashes()
  return form
}

function storeOf<Row>({ path, store, completed }: FormOptions<Row>): RecordStore<Row> {
  return (
    store ?? {
      read: () => readRecord(path),
      change: async (changes, all, etag) => {
        const body = completed?.(changes, all) ?? changes
        return (await readRecord<Row>(path, { method: 'PATCH', body, etag })).row
      },
    }
  )
}

/** Stores what has changed; undefined where somebody else has changed the same. */
async function stored<Row>(
  options: FormOptions<Row>,
  edited: Edited,
): Promise<Sent<Row> | undefined> {
  const { path, initial, constants, completed } = options
  const all = edited.all()
  if (initial !== undefined) {
    return edited.created(path, { ...constants, ...(completed?.(all, all) ?? all) })
  }
  const store = storeOf(options)
  for (;;) {
    const { values } = edited.draft()
    if (Object.keys(values).length === 0) return edited.row as Sent<Row>
    try {
      return await store.change(values, edited.all(), edited.etag)
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412) throw error
      edited.rebase(await store.read())
      if (edited.clashing.length > 0) return undefined
    }
  }
}

/** A record of a list with all values of a request. */
async function equalRecord<Row>(path: string, body: Values): Promise<Sent<Row> | undefined> {
  const sent = Object.entries(body).filter(([, value]) => value !== undefined)
  const isEqual = (row: Values): boolean => sent.every(([name, value]) => equal(row[name], value))
  const { rows } = await readPage<Values>(`${path}?limit=${LIST_MAX}`)
  return rows.find(isEqual) as Sent<Row> | undefined
}

/** The fields of a form beside the record as it was read last. */
class Edited {
  readonly #inputs: ReadonlyMap<string, Input>
  /** values of the record as the inputs give them back */
  readonly #shown = new Map<string, unknown>()
  #found: Found<Values>
  /** whether a creation was sent and not answered */
  #isUnsure = false
  clashing: readonly string[] = []

  constructor(inputs: ReadonlyMap<string, Input>, found: Found<Values>, draft: Draft) {
    this.#inputs = inputs
    this.#found = found
    this.#show(draft)
  }

  get row(): Values {
    return this.#found.row
  }

  get etag(): string | null {
    return this.#found.etag
  }

  /** Creates a record, unless an earlier request without an answer has. */
  async created<Row>(path: string, body: Values): Promise<Sent<Row>> {
    const earlier = this.#isUnsure ? await equalRecord<Row>(path, body) : undefined
    if (earlier) return earlier
    try {
      return (await readRecord<Row>(path, { method: 'POST', body })).row
    } catch (error) {
      this.#isUnsure = !(error instanceof Refusal)
      throw error
    }
  }

  all(): Values {
    return Object.fromEntries([...this.#inputs].map(([name, input]) => [name, input.get()]))
  }

  /** What differs from the record. */
  draft(): Draft {
    const all = this.all()
    const changed = Object.keys(all).filter((name) => !equal(all[name], this.#shown.get(name)))
    return { values: picked(all, changed), base: picked(this.#found.row, changed) }
  }

  /** Takes the record as it is now, with the changes made here. */
  rebase(found: Found<Values>): void {
    const draft = this.draft()
    this.#found = found
    this.#show(draft)
  }

  /** Puts the other's value into a field. */
  takeTheirs(name: string): void {
    this.#inputs.get(name)?.set(this.#found.row[name])
    this.clashing = this.clashing.filter((other) => other !== name)
  }

  #show(draft: Draft): void {
    const { row } = this.#found
    this.clashing = clashes(draft, row)
    for (const [name, input] of this.#inputs) {
      input.set(row[name])
      this.#shown.set(name, input.get())
      if (name in draft.values) input.set(draft.values[name])
    }
  }
}

/** Who has changed a record last; undefined where that is not known. */
async function lastAuthor({ id }: Values): Promise<string | undefined> {
  if (typeof id !== 'string') return undefined
  const entries = await read<readonly AuditEntry[]>(`/audit?record_id=${id}&limit=1`)
  return entries[0]?.author ?? undefined
}

function clashNotes(
  edited: Edited,
  fields: readonly Field[],
  other: string,
  changed: () => void,
): Node[] {
  const notes = fields
    .filter(({ name }) => edited.clashing.includes(name))
    .map(({ name, label }) => {
      const theirs = edited.row[name]
      const take = button(`Take theirs: ${label}`, () => {
        edited.takeTheirs(name)
        changed()
      })
      const text = typeof theirs === 'string' ? theirs : JSON.stringify(theirs)
      return element(
        'div',
        {},
        element('p', {}, `${label}, as ${other} has saved it:`),
        element('blockquote', {}, text),
        take,
      )
    })
  if (notes.length === 0) return []
  const say = `${other} has changed this meanwhile. Yours is kept here: save to replace theirs.`
  return [element('p', { className: 'bad', role: 'alert' }, say), ...notes]
}
