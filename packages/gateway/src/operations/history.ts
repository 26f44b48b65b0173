import {
  HISTORY_COLUMNS,
  HISTORY_SPANS,
  type HistoryColumn,
  type HistoryQuery,
  type HistoryResponse,
  type HistorySpan,
} from '@orrery/protocol'

/** The values of one moment. */
export type HistorySample = Readonly<Record<HistoryColumn, number>>

interface Kept {
  readonly time: number
  readonly sample: HistorySample
}

/** What the server was like in the last hour and day, so that a console shows it when it opens. */
export interface History {
  /** Takes a sample into each span whose step is over. */
  add(unixSeconds: number, sample: HistorySample): void
  read(query: HistoryQuery): HistoryResponse
}

export function createHistory(): History {
  const spans: Readonly<Record<HistorySpan, Kept[]>> = { hour: [], day: [] }
  return {
    add: (unixSeconds, sample) => {
      for (const [name, { step, length }] of Object.entries(HISTORY_SPANS)) {
        const time = unixSeconds - (unixSeconds % step)
        const kept = spans[name as HistorySpan]
        // A clock that was set back has its times a second time.
        while (kept.length > 0 && (kept.at(-1)?.time ?? 0) > time) kept.pop()
        if (kept.at(-1)?.time === time) continue
        kept.push({ time, sample })
        while ((kept[0]?.time ?? time) <= time - length) kept.shift()
      }
    },
    read: ({ span, after = -Infinity }) => {
      const shown = spans[span].filter(({ time }) => time > after)
      const columns = {} as Record<HistoryColumn, number[]>
      for (const name of HISTORY_COLUMNS) columns[name] = shown.map(({ sample }) => sample[name])
      return { times: shown.map(({ time }) => time), columns }
    },
  }
}
