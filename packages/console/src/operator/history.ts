/** The server's last hour and day, as it remembers them. */
import type { AdminClient } from '@orrery/client'
import { type ReadonlySignal, signal } from '@preact/signals'

export type Past = Awaited<ReturnType<AdminClient['history']>>
export type Span = 'hour' | 'day'
export type PastColumn = keyof Past['columns']

/** What is new of a span is asked for after so long [ms], and samples of a span at most. */
const SPANS = { hour: { everyMs: 10_000, most: 360 }, day: { everyMs: 60_000, most: 1440 } }

/** [s] */
export const SPAN_SECONDS: Readonly<Record<Span, number>> = { hour: 3600, day: 86_400 }

export interface PastFollower {
  readonly past: ReadonlySignal<Past | undefined>
  close(): void
}

/** Follows one span; a server that is away leaves a gap that the next answer fills. */
export function followPast(admin: AdminClient, span: Span): PastFollower {
  const { everyMs, most } = SPANS[span]
  const past = signal<Past | undefined>(undefined)
  const look = async (): Promise<void> => {
    const after = past.value?.times.at(-1)
    const more = await admin
      .history({ span, ...(after !== undefined && { after }) })
      .catch(() => undefined)
    if (more) past.value = past.value ? joined(past.value, more, most) : more
  }
  void look()
  const timer = setInterval(() => void look(), everyMs)
  return { past, close: () => clearInterval(timer) }
}

function joined(past: Past, more: Past, most: number): Past {
  const names = Object.keys(past.columns) as PastColumn[]
  const columns = { ...past.columns }
  for (const name of names) {
    columns[name] = [...past.columns[name], ...more.columns[name]].slice(-most)
  }
  return { times: [...past.times, ...more.times].slice(-most), columns }
}
