/** Something that an operator can do, as the palette, buttons and dialogs read it. */
import type { AdminClient } from '@orrery/client'
import type { Reading } from './live.ts'
import type { FindId } from './named.ts'

export type Values = Readonly<Record<string, string>>

/** One thing that an action has to know. */
export interface Field {
  readonly name: string
  readonly label: string
  /** a text when not given */
  readonly kind?: 'password' | 'number' | 'choice'
  readonly choices?: readonly string[]
  readonly isOptional?: boolean
  readonly hint?: string
  /** what it names; the action gets the id */
  readonly find?: FindId
  /** what the field holds at first */
  readonly initial?: (reading: Reading) => string
}

export interface Action {
  /** one character, unique, that selects the action in the palette */
  readonly key?: string
  readonly title: (reading: Reading) => string
  /** operation ids of the API's document that it may call */
  readonly operations: readonly string[]
  readonly fields?: readonly Field[]
  /** sentences about what it will do, shown before it is confirmed */
  readonly consequences?: (admin: AdminClient, values: Values) => Promise<readonly string[]>
  /** it cannot be taken back: a dialog asks, and with a word that word has to be typed */
  readonly isGrave?: boolean
  readonly word?: (reading: Reading) => string
  /** why it cannot be done now */
  readonly offBecause?: (reading: Reading) => string | undefined
  /** resolves with what was done, as a sentence */
  readonly run: (admin: AdminClient, values: Values, reading: Reading) => Promise<string>
}

/** Actions by their ids. */
export type Actions<Id extends string> = Readonly<Record<Id, Action>>

/** What the fields hold, with ids in place of names. @throws {NameFault | ClientError} */
export async function withIds(
  { fields = [] }: Action,
  admin: AdminClient,
  values: Values,
): Promise<Values> {
  const entries = fields.map(async ({ name, find }) => {
    const text = values[name] ?? ''
    return [name, find && text !== '' ? await find(admin, text) : text] as const
  })
  return { ...values, ...Object.fromEntries(await Promise.all(entries)) }
}

/** Whether it runs at once, without a dialog. */
export function isImmediate({ fields = [], isGrave = false }: Action): boolean {
  return fields.length === 0 && !isGrave
}
