import { yieldToAll } from '../background-thread.ts'
import { type ForeseenEnd, foreseenEnd } from './foreseen-end.ts'
import type { PredictionTask } from './trajectory.ts'

yieldToAll()

export default function preflightThread({
  task,
  msMax,
}: {
  readonly task: PredictionTask
  readonly msMax: number
}): ForeseenEnd {
  return foreseenEnd(task, msMax)
}
