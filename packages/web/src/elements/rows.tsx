/** Names and values of quantities, one below the other. */
import type { ComponentChildren, JSX } from 'preact'
import './rows.css'

interface RowProps {
  readonly name: string
  readonly value: string
  /** what the name means, where that is not plain */
  readonly title?: string
  /** when, between the two */
  readonly aside?: string
}

export function Row({ name, value, title, aside }: RowProps): JSX.Element {
  return (
    <div class={`row ${aside === undefined ? '' : 'timed'}`}>
      <dt title={title}>{name}</dt>
      {aside !== undefined && <dd class="row-aside">{aside}</dd>}
      <dd>{value}</dd>
    </div>
  )
}

interface BarProps {
  readonly name: string
  readonly value: string
  /** 0 to 1 */
  readonly share: number
  readonly kind: 'fuel' | 'wheels'
}

/** A row with a bar of how much there is. */
export function Bar({ name, value, share, kind }: BarProps): JSX.Element {
  const filled = Math.min(Math.max(share || 0, 0), 1)
  return (
    <div class={`row bar ${kind} ${isCritical(kind, share) ? 'critical' : ''}`}>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd class="bar-track" aria-hidden="true">
        <span style={{ transform: `scaleX(${filled.toFixed(3)})` }} />
      </dd>
    </div>
  )
}

function isCritical(kind: BarProps['kind'], share: number): boolean {
  return (kind === 'fuel' && share < 0.1) || (kind === 'wheels' && share > 0.9)
}

/** A list of rows. */
export function Rows({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="rows">{children}</dl>
}
