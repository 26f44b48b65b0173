// One renderer for all test files of a process, with one render process: it loads each engine once.
import { type Renderer, createRenderer } from '../src/rendering/renderer.ts'

/** Longer than any test: on a busy machine no render is late. */
export const PATIENT = { timeoutMs: 600_000, niceness: 0 } as const

let shared: Renderer | undefined

/** It ends with the test process. */
export function sharedRenderer(): Renderer {
  return (shared ??= createRenderer({
    ...PATIENT,
    children: 1,
    jobsMax: 500,
    keptBytesMax: 2 ** 40,
    idleMs: PATIENT.timeoutMs,
  }))
}
