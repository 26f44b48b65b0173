/** Runs as a worker of a page or as a thread of Node: answers forecasts, drafts before others. */
import { type ForecastOrder, Forecaster, type FlownAhead } from './forecaster.ts'

/** What the worker is sent: a forecast, or massive bodies to be made ready. */
export type ForecastMessage =
  | { readonly id: number; readonly order: ForecastOrder }
  | { readonly prepare: Pick<ForecastOrder, 'place' | 'index'> }

/** What it answers. */
export type ForecastAnswer =
  | { readonly id: number; readonly flown: FlownAhead }
  | { readonly id: number; readonly problem: string }

/** What a worker's global scope and a thread's port have in common. */
interface Port {
  addEventListener(type: 'message', listener: (event: { data: ForecastMessage }) => void): void
  postMessage(answer: ForecastAnswer, transfer: ArrayBuffer[]): void
}

/** A forecast under way. */
interface Job {
  readonly id: number
  readonly isDraft: boolean
  readonly slices: ReturnType<Forecaster['forecast']>
}

/** Between two slices that nothing waits for: a page that begins has more to do. */
const SLICE_PAUSE_MS = 300

const forecaster = new Forecaster()
const jobs: Job[] = []
let isPreparing = false

const isPage = 'WorkerGlobalScope' in globalThis

// No import of Node's may reach a page.
const port: Port = isPage
  ? (globalThis as unknown as Port)
  : (process.getBuiltinModule('node:worker_threads').parentPort as unknown as Port)

const { port1, port2 } = new MessageChannel()
port2.addEventListener('message', flySlice)
port2.start()

/** Between two slices messages are read; Node reads a thousand of one port in a row. */
function flyOn(): void {
  if (isPage) port1.postMessage(0)
  else setImmediate(flySlice)
}

port.addEventListener('message', ({ data }) => {
  if ('prepare' in data) forecaster.enter(data.prepare.place, data.prepare.index)
  else add(data.id, data.order)
  if (!isPreparing) prepare()
})

function add(id: number, order: ForecastOrder): void {
  const isIdle = jobs.length === 0
  const isDraft = order.draft !== undefined
  const older = isDraft ? jobs.find((job) => job.isDraft) : undefined
  if (older) {
    end(older, { id: older.id, problem: 'A newer draft has taken its place' })
    older.slices.return(undefined as never)
  }
  jobs.push({ id, isDraft, slices: forecaster.forecast(order) })
  if (isIdle) flyOn()
}

/** Flies a slice of the draft, or of the first of the others. */
function flySlice(): void {
  const job = jobs.find(({ isDraft }) => isDraft) ?? jobs[0]
  const { id, slices } = job
  try {
    const { done, value: flown } = slices.next()
    if (done === true) end(job, { id, flown })
  } catch (error) {
    end(job, { id, problem: String(error) })
  }
  if (jobs.length > 0) flyOn()
}

function end(job: Job, answer: ForecastAnswer): void {
  jobs.splice(jobs.indexOf(job), 1)
  const { flown } = { flown: undefined, ...answer }
  const records = flown?.legs.map((leg) => leg.records.buffer as ArrayBuffer) ?? []
  port.postMessage(answer, flown ? [flown.arcs.buffer, ...records] : [])
}

/** Makes the massive bodies in between, a few nodes at a time. */
function prepare(): void {
  isPreparing = forecaster.prepare()
  if (isPreparing) setTimeout(prepare, SLICE_PAUSE_MS)
}
