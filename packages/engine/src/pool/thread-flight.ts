import {
  type Allocate,
  type Flight,
  SURROUNDINGS_DOUBLES,
  type ShipClass,
  type Territory,
  type WorldState,
  createFlight,
  createStepScratch,
} from '@orrery/sim'
import { scratchAllocator, wasmKernel } from '../kernels/wasm-kernel.ts'

const PAGE_BYTES = 65_536

/** Room for a triple, or for the alignment of any array of scratch. */
const SLACK_BYTES = 128

/**
 * What one thread flies ships with: scratch in a WebAssembly memory of its own, on which the
 * kernel works. The world's state is not there: the kernel reads and writes scratch alone.
 *
 * @param kernel  contents of `@orrery/sim/kernel.wasm`; without it the TypeScript twin, which
 *   gives the same bits, works on the heap
 */
export function threadFlight(
  state: WorldState,
  territories: readonly Territory[],
  ship: ShipClass,
  kernel: Uint8Array | undefined,
): Flight {
  if (!kernel) return createFlight(state, territories, ship)
  const bytes = scratchBytes(state)
  const pages = Math.ceil(bytes / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const allocate = scratchAllocator(memory, 0, bytes)
  return createFlight(state, territories, ship, wasmKernel(memory, kernel), allocate)
}

/** Two triples per field, the table of each system's surroundings, a step's scratch, and triples. */
function scratchBytes({ systems }: WorldState): number {
  let bytes = 2 * SLACK_BYTES
  const measure: Allocate = (length) => {
    bytes += 8 * length + SLACK_BYTES
    return new Float64Array(length)
  }
  let bodiesMax = 0
  for (const { bodies } of systems) {
    bytes += bodies.length * 2 * SLACK_BYTES
    measure(SURROUNDINGS_DOUBLES * bodies.length)
    bodiesMax = Math.max(bodiesMax, bodies.length)
  }
  createStepScratch(bodiesMax, measure)
  return bytes
}
