/** Spans in which the world is put aside on purpose: a restore, a restart. */
export interface Disturbance {
  readonly name: string
  readonly fromMs: number
  /** Infinity until it is over */
  toMs: number
}

export class Disturbances {
  readonly spans: Disturbance[] = []

  /** Runs what disturbs; the span ends with it. */
  async during(name: string, work: () => Promise<unknown>): Promise<void> {
    const span = { name, fromMs: performance.now(), toMs: Infinity }
    this.spans.push(span)
    try {
      await work()
    } finally {
      span.toMs = performance.now()
    }
  }

  /** Whether a part of the time from then to now is in one of the spans. */
  touch(sinceMs: number): boolean {
    return this.spans.some(({ toMs }) => toMs >= sinceMs)
  }
}
