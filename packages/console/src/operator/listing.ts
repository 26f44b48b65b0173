/** A table of the server's records, as the console shows it. */
import type { AdminClient } from '@orrery/client'
import type { Field, Values } from './action.ts'
import type { ActionId } from './actions.ts'

export interface Row {
  readonly id: string
  readonly cells: readonly string[]
  /** what actions on the row start with */
  readonly values: Values
}

export interface ListingPage {
  readonly rows: readonly Row[]
  /** records in all; undefined when the page holds them all */
  readonly total?: number | undefined
  /** where the next page starts; undefined at the end */
  readonly next?: string | undefined
  /** a sentence beside the title */
  readonly note?: string
}

/** The first rows of a table, so many of them as there are and are wanted. */
export async function firstRows(
  { load }: Pick<Listing, 'load'>,
  { admin, filters, count }: { admin: AdminClient; filters: Values; count: number },
): Promise<ListingPage> {
  let page = await load(admin, filters, undefined, count)
  while (page.next !== undefined && page.rows.length < count) {
    const { rows, ...more } = await load(admin, filters, page.next, count - page.rows.length)
    page = { rows: [...page.rows, ...rows], ...more }
  }
  return page
}

export interface Listing {
  readonly title: string
  readonly operations: readonly string[]
  readonly heads: readonly string[]
  readonly filters?: readonly Field[]
  /** actions beside the title */
  readonly actions: readonly ActionId[]
  /** actions on a row, with short names */
  readonly rowActions: readonly (readonly [id: ActionId, name: string])[]
  readonly empty: string
  /** @param rows  that are wanted at once, as far as the server gives so many */
  readonly load: (
    admin: AdminClient,
    filters: Values,
    after?: string,
    rows?: number,
  ) => Promise<ListingPage>
}
