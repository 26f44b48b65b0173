/** Runs as a worker of a page or as a thread of Node: answers forecasts one after the other. */
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

/** Between two slices that nothing waits for: a page that begins has more to do. */
const SLICE_PAUSE_MS = 300

const forecaster = new Forecaster()
let isPreparing = false

// No import of Node's may reach a page.
const port: Port =
  'WorkerGlobalScope' in globalThis
    ? (globalThis as unknown as Port)
    : (process.getBuiltinModule('node:worker_threads').parentPort as unknown as Port)

port.addEventListener('message', ({ data }) => {
  if ('prepare' in data) forecaster.enter(data.prepare.place, data.prepare.index)
  else answer(data.id, data.order)
  if (!isPreparing) prepare()
})

function answer(id: number, order: ForecastOrder): void {
  try {
    const flown = forecaster.forecast(order)
    const records = flown.legs.map((leg) => leg.records.buffer as ArrayBuffer)
    port.postMessage({ id, flown }, [flown.arcs.buffer, ...records])
  } catch (error) {
    port.postMessage({ id, problem: String(error) }, [])
  }
}

/** Makes the massive bodies in between, a few nodes at a time. */
function prepare(): void {
  isPreparing = forecaster.prepare()
  if (isPreparing) setTimeout(prepare, SLICE_PAUSE_MS)
}
