import type { AuditEntry } from '../../src/records/audit.ts'
import { type Found, type Sent, Refusal, read, readRecord } from './api.ts'
import { type Draft, type Values, clashes, equal, keepDraft, picked, readDraft } from './draft.ts'
import { announce, button, element, failure } from './element.ts'
import type { Field, Input } from './field.ts'

export interface FormOptions<Row> {
  /** of the record, or of the list that gets a new one */
  readonly path: string
  /** what a new record begins with; undefined for a record that is changed */
  readonly initial?: Values
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
  const found =
    initial === undefined ? await readRecord<Values>(path) : { row: initial, etag: null }
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

/** Stores what has changed; undefined where somebody else has changed the same. */
async function stored<Row>(
  { path, initial, constants, completed = (changes) => changes }: FormOptions<Row>,
  edited: Edited,
): Promise<Sent<Row> | undefined> {
  if (initial !== undefined) {
    const body = { ...constants, ...completed(edited.all(), edited.all()) }
    return (await readRecord<Row>(path, { method: 'POST', body })).row
  }
  for (;;) {
    const { values } = edited.draft()
    if (Object.keys(values).length === 0) return edited.row as Sent<Row>
    try {
      const request = {
        method: 'PATCH',
        body: completed(values, edited.all()),
        etag: edited.etag,
      } as const
      return (await readRecord<Row>(path, request)).row
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 412) throw error
      edited.rebase(await readRecord<Values>(path))
      if (edited.clashing.length > 0) return undefined
    }
  }
}

/** The fields of a form beside the record as it was read last. */
class Edited {
  readonly #inputs: ReadonlyMap<string, Input>
  /** values of the record as the inputs give them back */
  readonly #shown = new Map<string, unknown>()
  #found: Found<Values>
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
  const entries = await read<readonly AuditEntry[]>(`/audit?record_id=${String(id)}&limit=1`)
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
