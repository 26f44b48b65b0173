import type { AdminClient } from '@orrery/client'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Past, SPAN_SECONDS, type Span, followPast } from '../operator/history.ts'
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
        <p class="hint">Times are UTC.</p>
      </header>
      <div class="chart-grid">
        {CHARTS.map((spec) => (
          <Chart key={spec.title} spec={spec} past={past.value} seconds={SPAN_SECONDS[shown]} />
        ))}
      </div>
    </section>
  )
}

interface ChartProps {
  readonly spec: ChartSpec
  readonly past: Past | undefined
  readonly seconds: number
}

function Chart({ spec, past, seconds }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const drawing = useSignal<ChartDrawing | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    let isGone = false
    // Cards are there before the library of charts is.
    import('./chart-drawing.ts').then(
      ({ drawChart }) => {
        if (!isGone && place.current) drawing.value = drawChart(place.current, spec)
      },
      () => (fault.value = 'The chart does not load. Reload the page.'),
    )
    return () => {
      isGone = true
      drawing.value?.close()
    }
  }, [])
  const drawn = drawing.value
  useEffect(() => {
    if (past) drawn?.show(past, seconds)
  }, [drawn, past, seconds])
  const [name] = spec.columns
  const last = past && name ? past.columns[name].at(-1) : undefined
  const value =
    last === undefined ? '' : `${Number((last * spec.factor).toPrecision(3))} ${spec.unit}`
  return (
    <figure>
      <figcaption>
        {spec.title} <b>{value}</b>
      </figcaption>
      {fault.value && <p class="hint">{fault.value}</p>}
      <div ref={place} class="chart" />
    </figure>
  )
}
