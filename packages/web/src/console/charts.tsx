import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Past, type Span, followPast } from '../operator/history.ts'
import type { ChartDrawing } from './chart-drawing.ts'
import { CHARTS, type ChartSpec } from './chart-specs.ts'

const SPANS: readonly Span[] = ['hour', 'day']

/** The last hour or day. */
export function Charts({ admin }: { readonly admin: AdminClient }): JSX.Element {
  const span = useSignal<Span>('hour')
  const past = useSignal<Past | undefined>(undefined)
  const shown = span.value
  useEffect(() => {
    const follower = followPast(admin, shown)
    const end = follower.past.subscribe((value) => (past.value = value))
    return () => {
      end()
      follower.close()
    }
  }, [shown])
  return (
    <section class="charts" aria-label="History">
      <header role="group" aria-label="Span">
        {SPANS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={shown === name}
            onClick={() => (span.value = name)}
          >
            Last {name}
          </button>
        ))}
      </header>
      <div class="chart-grid">
        {CHARTS.map((spec) => (
          <Chart key={spec.title} spec={spec} past={past.value} />
        ))}
      </div>
    </section>
  )
}

interface ChartProps {
  readonly spec: ChartSpec
  readonly past: Past | undefined
}

function Chart({ spec, past }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<ChartDrawing | undefined>(undefined)
  const latest = useRef(past)
  latest.current = past
  useEffect(() => {
    let isGone = false
    // Cards are there before the library of charts is.
    void import('./chart-drawing.ts').then(({ drawChart }) => {
      if (isGone || !place.current) return
      drawing.current = drawChart(place.current, spec)
      if (latest.current) drawing.current.show(latest.current)
    })
    return () => {
      isGone = true
      drawing.current?.close()
    }
  }, [])
  useEffect(() => {
    if (past) drawing.current?.show(past)
  }, [past])
  const [name] = spec.columns
  const last = past && name ? past.columns[name].at(-1) : undefined
  const value =
    last === undefined ? '' : `${Number((last * spec.factor).toPrecision(3))} ${spec.unit}`
  return (
    <figure>
      <figcaption>
        {spec.title} <b>{value}</b>
      </figcaption>
      <div ref={place} class="chart" />
    </figure>
  )
}
