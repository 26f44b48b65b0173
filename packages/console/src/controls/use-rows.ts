/** The rows of a table: read when it is shown, after each change, and from time to time. */
import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Values } from '../operator/action.ts'
import { failureText } from '../operator/failure-text.ts'
import { type Listing, type ListingPage, firstRows } from '../operator/listing.ts'
import type { Operator } from '../operator/operator.ts'

/** Between two readings [ms]. */
const REFRESH_MS = 10_000

export interface TableRows {
  /** undefined before the first answer */
  readonly page: ListingPage | undefined
  /** why the last reading failed */
  readonly fault: string | undefined
  /** reads again what is shown */
  refresh(): void
  /** reads the page after it */
  readMore(after: string): void
  /** reads the first page of other rows */
  filter(values: Values): void
}

interface RowsOf {
  readonly listing: Listing
  readonly operator: Operator
  readonly admin: AdminClient
}

export function useRows({ listing, operator, admin }: RowsOf): TableRows {
  const page = useSignal<ListingPage | undefined>(undefined)
  const fault = useSignal<string | undefined>(undefined)
  const filters = useRef<Values>({})
  const asked = useRef(0)
  const answered = useRef(0)
  /** Takes an answer, unless another question was asked meanwhile. */
  const take = async (answer: Promise<ListingPage>, before: ListingPage['rows']): Promise<void> => {
    const turn = ++asked.current
    const isLast = (): boolean => turn === asked.current
    try {
      const { rows, ...more } = await answer
      if (!isLast()) return
      page.value = { rows: [...before, ...rows], ...more }
      fault.value = undefined
    } catch (error) {
      if (isLast()) fault.value = failureText(error)
    }
    if (isLast()) answered.current = turn
  }
  const read = (count: number): Promise<void> =>
    take(firstRows(listing, { admin, filters: filters.current, count }), [])
  const refresh = (): Promise<void> => read(page.value?.rows.length ?? 0)
  useEffect(() => {
    void refresh()
    const stop = operator.followChanges(refresh)
    const timer = setInterval(() => {
      if (!document.hidden && answered.current === asked.current) void refresh()
    }, REFRESH_MS)
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [])
  return {
    page: page.value,
    fault: fault.value,
    refresh: () => void refresh(),
    readMore: (after) =>
      void take(listing.load(admin, filters.current, after), page.value?.rows ?? []),
    filter: (values) => {
      filters.current = values
      void read(0)
    },
  }
}
