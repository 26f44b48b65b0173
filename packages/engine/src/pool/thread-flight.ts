import {
  CHUNK_SLOTS,
  type Flight,
  type ShipClass,
  type Territory,
  type WorldState,
  createFlight,
} from '@orrery/sim'
import { scratchAllocator, wasmKernel } from '../kernels/wasm-kernel.ts'

const PAGE_BYTES = 65_536

/** Room for alignment between any two arrays of scratch. */
const SLACK_BYTES = 512

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

/** A field per body (its table and GMs), five planes of a chunk's triples, and a few triples. */
function scratchBytes({ systems }: WorldState): number {
  const fields = systems.reduce((sum, { bodies }) => {
    const field = 8 * (4 * bodies.length + 6) + SLACK_BYTES
    return sum + bodies.length * field
  }, 0)
  const planes = 5 * (8 * 3 * CHUNK_SLOTS + SLACK_BYTES)
  return fields + planes + 4 * SLACK_BYTES
}
