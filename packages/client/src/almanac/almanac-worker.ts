/** Runs as a worker of a page: makes spans one after the other. */
import { type Span, type SpanTask, madeSpan } from './span.ts'

/** What the worker answers. */
export type SpanAnswer = { readonly span: Span } | { readonly problem: string }

interface Scope {
  addEventListener(type: 'message', listener: (event: { data: SpanTask }) => void): void
  postMessage(answer: SpanAnswer, transfer: ArrayBuffer[]): void
}

const scope = globalThis as unknown as Scope

scope.addEventListener('message', ({ data }) => {
  try {
    const span = madeSpan(data)
    scope.postMessage({ span }, [span.nodes.buffer, span.held.buffer])
  } catch (error) {
    scope.postMessage({ problem: String(error) }, [])
  }
})
