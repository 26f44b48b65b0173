import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { failureText } from '../operator/failure-text.ts'
import type { Values } from '../operator/action.ts'
import type { Listing, ListingPage } from '../operator/listing.ts'
import type { Operator } from '../operator/operator.ts'
import { ActionButton } from './action-button.tsx'
import { FieldInput, valuesOf } from './field.tsx'

export interface ListingTableProps {
  readonly listing: Listing
  readonly operator: Operator
  readonly admin: AdminClient
}

/** One table of records: read when it is shown, after each change, and when it is asked for. */
export function ListingTable({ listing, operator, admin }: ListingTableProps): JSX.Element {
  const id = useId()
  const page = useSignal<ListingPage | undefined>(undefined)
  const fault = useSignal<string | undefined>(undefined)
  const filters = useSignal<Values>({})
  const changes = operator.changes.value
  const asked = useRef(0)
  const load = async (after?: string): Promise<void> => {
    const turn = ++asked.current
    try {
      const { rows, ...more } = await listing.load(admin, filters.value, after)
      // A later question has been asked meanwhile.
      if (turn !== asked.current) return
      const before = after === undefined ? [] : (page.value?.rows ?? [])
      page.value = { rows: [...before, ...rows], ...more }
      fault.value = undefined
    } catch (error) {
      if (turn === asked.current) fault.value = failureText(error)
    }
  }
  useEffect(() => void load(), [changes])
  const { note, next, total } = page.value ?? {}
  const filter = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    filters.value = valuesOf(event.currentTarget)
    void load()
  }
  return (
    <section class="listing" aria-labelledby={id}>
      <header>
        <h2 id={id}>{listing.title}</h2>
        <p class="hint">{total === undefined ? note : `${total} in all`}</p>
        {listing.actions.map((key) => (
          <ActionButton key={key} of={key} operator={operator} />
        ))}
        <button type="button" onClick={() => void load()}>
          Read again
        </button>
      </header>
      {listing.filters && (
        <form class="filters" onSubmit={filter}>
          {listing.filters.map((field) => (
            <FieldInput key={field.name} field={field} initial="" />
          ))}
          <button>Show</button>
        </form>
      )}
      <p class="fault" role="alert">
        {fault.value}
      </p>
      {page.value && <Rows listing={listing} page={page.value} operator={operator} />}
      {next !== undefined && (
        <button type="button" onClick={() => void load(next)}>
          More
        </button>
      )}
    </section>
  )
}

/** Ids by their beginning and times to the second: the whole is in the title. */
function shortText(cell: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cell)) return `${cell.slice(0, 8)}…`
  return cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d+Z$/, '$1 $2')
}

interface RowsProps {
  readonly listing: Listing
  readonly page: ListingPage
  readonly operator: Operator
}

function Rows({ listing, page, operator }: RowsProps): JSX.Element {
  const { heads, rowActions, empty, title } = listing
  if (page.rows.length === 0) return <p class="hint">{empty}</p>
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={`Rows of ${title}`}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {rowActions.length > 0 && <th scope="col">Do</th>}
          </tr>
        </thead>
        <tbody>
          {page.rows.map(({ id, cells, values }) => (
            <tr key={id}>
              {cells.map((cell, i) => (
                <td key={heads[i]} title={cell}>
                  {shortText(cell)}
                </td>
              ))}
              {rowActions.length > 0 && (
                <td class="row-actions">
                  {rowActions.map(([key, name]) => (
                    <ActionButton
                      key={key}
                      of={key}
                      operator={operator}
                      values={values}
                      name={name}
                      about={cells[0]}
                    />
                  ))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
