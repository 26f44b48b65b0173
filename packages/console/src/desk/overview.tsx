import type { AdminClient } from '@orrery/client'
import type { JSX } from 'preact'
import type { Operator } from '../operator/operator.ts'
import { Cards } from './cards.tsx'
import { Charts } from '../charts/charts.tsx'

export interface OverviewProps {
  readonly operator: Operator
  readonly admin: AdminClient
}

/** The server at a glance. */
export function Overview({ operator, admin }: OverviewProps): JSX.Element {
  const reading = operator.live.reading.value
  if (!reading) return <p class="hint">Waiting for the server.</p>
  return (
    <>
      <Cards operator={operator} reading={reading} />
      <Charts admin={admin} />
    </>
  )
}
