import { type Flight, type Territory, type WorldState, createFlight, shipKernel } from '@orrery/sim'
import { scratchAllocator, wasmKernel } from './wasm-kernel.ts'

const PAGE_BYTES = 65_536

/** Room for the alignment of any array of scratch. */
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
  territory: Territory,
  kernel: Uint8Array | undefined,
): Flight {
  if (!kernel) return createFlight(state, territory)
  let bytes = 0
  createFlight(state, territory, shipKernel, (length) => {
    bytes += length * Float64Array.BYTES_PER_ELEMENT + SLACK_BYTES
    return new Float64Array(length)
  })
  const pages = Math.ceil(bytes / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const allocate = scratchAllocator(memory, 0, bytes)
  return createFlight(state, territory, wasmKernel(memory, kernel), allocate)
}
