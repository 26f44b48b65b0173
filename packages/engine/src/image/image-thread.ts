import { move } from 'piscina'
import { yieldToTicks } from '../background-thread.ts'
import { type ImageTask, runImageTask } from './image-task.ts'

yieldToTicks()

/** Runs a task on the thread beside a pool. */
export default function imageThread(task: ImageTask): unknown {
  const bytes = runImageTask(task)
  return bytes && move(bytes)
}
