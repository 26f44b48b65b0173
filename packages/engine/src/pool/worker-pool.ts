import { Piscina } from 'piscina'
import type { FlightReport, FlightTask, WorkerSetup } from './chunk-flyer.ts'
import { EngineError } from '../engine-error.ts'

/** How often the workers' progress is read within the stall time. */
const LOOKS = 5

/** Threads may take so many times as long to start, which is slow on a busy machine. */
const START_PATIENCE = 12

export interface WorkerPoolOptions {
  readonly workers: number
  /** of them, those that start at once; the others start with the first task that needs them */
  readonly started: number
  /** file whose default export runs a task */
  readonly workerUrl: URL
  readonly setup: WorkerSetup
  /** how long workers may show no progress before they are ended [ms] */
  readonly stallMs: number
  /** changes whenever a worker gets on */
  readonly progress: () => string
  /** whether a running task has claimed a chunk; else it waits for a thread to start */
  readonly isWorking: (task: FlightTask) => boolean
  /** called when a worker without a task failed */
  readonly onError: (error: unknown) => void
}

export type RunTasks = (
  tasks: readonly FlightTask[],
) => Promise<PromiseSettledResult<FlightReport>[]>

/** Worker threads, each replaced when it fails. */
export interface WorkerPool {
  readonly threads: number
  /**
   * Runs tasks in parallel, at most one per worker, and never rejects. When it resolves, no
   * failed thread still runs, so its chunk may be given to another.
   */
  readonly run: RunTasks
  close(): Promise<void>
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { workers, started, workerUrl, setup, stallMs, onError } = options
  const piscina = new Piscina<FlightTask, FlightReport>({
    filename: workerUrl.href,
    minThreads: started,
    maxThreads: workers,
    idleTimeout: Infinity,
    workerData: setup,
  })
  piscina.on('error', onError)
  // An abort ends the thread of a running task, starts another, and drops a waiting task.
  let stall = new AbortController()
  const watch = createWatch(options, () => stall.abort())
  return {
    get threads() {
      return piscina.threads.length
    },
    run: async (tasks) => {
      const { threads } = piscina
      const { signal } = stall
      watch.begin(tasks)
      const outcomes = await Promise.allSettled(tasks.map((task) => piscina.run(task, { signal })))
      watch.end()
      if (outcomes.every(({ status }) => status === 'fulfilled')) return outcomes
      // A rejection may come before its thread is gone.
      const { threads: alive } = piscina
      await Promise.all(
        threads.filter((thread) => !alive.includes(thread)).map((thread) => thread.terminate()),
      )
      if (!signal.aborted) return outcomes
      stall = new AbortController()
      return outcomes.map((each) => orStalled(each, stallMs))
    },
    close: () => {
      watch.close()
      return piscina.close()
    },
  }
}

/** Of the tasks that run. One timer is for all: to make one for each takes long for a tick. */
interface Watch {
  begin(tasks: readonly FlightTask[]): void
  end(): void
  close(): void
}

/**
 * Calls back when progress was the same at so many consecutive readings that `stallMs` have
 * passed. After a sleep of the machine the count continues.
 */
function createWatch(
  { progress, isWorking, stallMs }: WorkerPoolOptions,
  onStall: () => void,
): Watch {
  let running: readonly FlightTask[] = []
  let seen: string | undefined
  let same = 0
  const look = (): void => {
    if (running.length === 0) return
    const now = progress()
    same = now === seen ? same + 1 : 0
    seen = now
    const patience = running.some(isWorking) ? LOOKS : START_PATIENCE * LOOKS
    if (same >= patience) onStall()
  }
  let timer: NodeJS.Timeout | undefined
  return {
    begin: (tasks) => {
      timer ??= setInterval(look, stallMs / LOOKS).unref()
      running = tasks
      seen = undefined
    },
    end: () => {
      running = []
    },
    close: () => clearInterval(timer),
  }
}

function orStalled<Report>(
  outcome: PromiseSettledResult<Report>,
  stallMs: number,
): PromiseSettledResult<Report> {
  if (outcome.status === 'fulfilled') return outcome
  const message = `A worker showed no progress for ${stallMs / 1000} s and was ended.`
  return { status: 'rejected', reason: new EngineError('ERR_WORKER_STALLED', message) }
}
