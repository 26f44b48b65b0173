import type { AdminClient } from '@orrery/client'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { useId } from 'preact/hooks'
import type { Listing, ListingPage } from '../operator/listing.ts'
import type { Operator } from '../operator/operator.ts'
import { ActionButton } from './action-button.tsx'
import { FieldInput, valuesOf } from './field.tsx'
import { useRows } from './use-rows.ts'

export interface ListingTableProps {
  readonly listing: Listing
  readonly operator: Operator
  readonly admin: AdminClient
}

/** One table of records. */
export function ListingTable(props: ListingTableProps): JSX.Element {
  const { listing, operator } = props
  const id = useId()
  const { page, fault, ...rows } = useRows(props)
  const { note, next, total } = page ?? {}
  const filter = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    rows.filter(valuesOf(event.currentTarget))
  }
  return (
    <section class="listing" aria-labelledby={id}>
      <header>
        <h2 id={id}>{listing.title}</h2>
        <p class="hint">{total === undefined ? note : `${total} in all`}</p>
        {listing.actions.map((id) => (
          <ActionButton key={id} of={id} operator={operator} />
        ))}
        <button type="button" onClick={() => rows.refresh()}>
          Refresh
        </button>
      </header>
      {listing.filters && (
        <form class="filters" onSubmit={filter}>
          {listing.filters.map((field) => (
            <FieldInput key={field.name} field={field} initial="" />
          ))}
          <button>Filter</button>
        </form>
      )}
      <p class="fault" role="alert">
        {fault}
      </p>
      {page && <Rows listing={listing} page={page} operator={operator} />}
      {next !== undefined && (
        <button type="button" onClick={() => rows.readMore(next)}>
          Load more
        </button>
      )}
    </section>
  )
}

/** Its beginning is shown; a click selects the whole. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Times to the second. */
function shortText(cell: string): string {
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
            {rowActions.length > 0 && <th scope="col">Actions</th>}
          </tr>
        </thead>
        <tbody>
          {page.rows.map(({ id, cells, values }) => (
            <tr key={id}>
              {cells.map((cell, i) => (
                <td key={heads[i]} title={cell} data-head={heads[i]}>
                  <span class={ID.test(cell) ? 'id' : undefined}>{shortText(cell)}</span>
                </td>
              ))}
              {rowActions.length > 0 && (
                <td class="row-actions" data-head="Actions">
                  {rowActions.map(([id, name]) => (
                    <ActionButton
                      key={id}
                      of={id}
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
