import {
  type Allocate,
  QUANTA_PER_SECOND,
  SURROUNDINGS_DOUBLES,
  type ShipKernel,
  type StepScratch,
  TABLE_DOUBLES,
} from '@orrery/sim'
import { EngineError } from '../engine-error.ts'
import { compiledKernel } from './compiled-kernel.ts'

// Neither ES2024 nor Node's types declare WebAssembly, and those of the browser would declare
// the browser too. This is what is used of it, in the words of TypeScript's own "dom" library.
declare global {
  namespace WebAssembly {
    interface Memory {
      readonly buffer: SharedArrayBuffer
    }
    interface MemoryDescriptor {
      /** pages of 64 KiB */
      readonly initial: number
      readonly maximum: number
      readonly shared: true
    }
    interface Module {
      readonly [Symbol.toStringTag]: string
    }
    interface Instance {
      readonly exports: Readonly<Record<string, unknown>>
    }
    const Memory: new (descriptor: MemoryDescriptor) => Memory
    const Module: new (bytes: Uint8Array) => Module
    const Instance: new (module: Module, imports: object) => Instance
  }
}

/** The kernel as compiled: lengths, and arrays as byte addresses. */
interface Compiled {
  readonly pull: (
    out: number,
    points: number,
    stride: number,
    count: number,
    table: number,
    bodies: number,
  ) => void
  readonly step: (
    block: number,
    count: number,
    stages: number,
    stageBytes: number,
    last: number,
    dryMass: number,
  ) => void
  readonly place: (
    stage: number,
    plan: number,
    bodies: number,
    pair: number,
    planeBytes: number,
  ) => void
  readonly bounds: (block: number, count: number, table: number, bodies: number) => void
  readonly turn: (
    block: number,
    count: number,
    inertiaX: number,
    inertiaY: number,
    inertiaZ: number,
    seconds: number,
  ) => void
}

/**
 * The kernel in WebAssembly, which gives the bits of `shipKernel` and takes arrays of one memory
 * only.
 *
 * The memory must not grow afterwards: growing replaces the buffer that
 * the arrays view. Any number of kernels, in any threads, may work on one memory.
 *
 * @param memory  shared, at most 4 GiB; may come from another thread
 * @param bytes   contents of `@orrery/sim/kernel.wasm`
 * @returns a kernel that throws 'ERR_KERNEL_MEMORY' for an array that is not on the memory or
 *   ends before what is read or written of it
 */
export function wasmKernel(memory: WebAssembly.Memory, bytes: Uint8Array): ShipKernel {
  const instance = new WebAssembly.Instance(compiledKernel(bytes), { env: { memory } })
  const { pull, place, step, bounds, turn } = instance.exports as unknown as Compiled
  const { buffer } = memory
  // Unlike an array, WebAssembly would write beyond the end.
  const require = (array: Float64Array, length: number): void => {
    if (array.buffer !== buffer) {
      throw memoryError('The kernel takes arrays of its own memory; one of these is elsewhere.')
    }
    if (length > array.length) {
      throw memoryError(`The kernel was given ${array.length} values for ${length}.`)
    }
  }
  const requireRows = ({ block, nearGround }: StepScratch, count: number): void => {
    require(block, block.length)
    require(nearGround, count)
  }
  return {
    pull(out, points, stride, count, table, bodies) {
      if (count > stride) throw memoryError(`${count} points do not fit planes of ${stride}.`)
      require(out, 2 * stride + count)
      require(points, 2 * stride + count)
      require(table, TABLE_DOUBLES * bodies)
      pull(out.byteOffset, points.byteOffset, stride, count, table.byteOffset, bodies)
    },
    place({ numbers, table }, plan, pair) {
      require(numbers, numbers.length)
      require(table, TABLE_DOUBLES * plan.bodies)
      require(plan.block, plan.block.length)
      require(pair.block, 3 * plan.bodies)
      const { byteOffset } = pair.block
      place(numbers.byteOffset, plan.block.byteOffset, plan.bodies, byteOffset, 8 * pair.plane)
    },
    step(scratch, count, last, dryMass) {
      const { block, stageBlock, stages } = scratch
      requireRows(scratch, count)
      if (last >= stages.length) throw memoryError(`There is no stage ${last}.`)
      const stageBytes = stageBlock.byteLength / stages.length
      const at = stageBlock.byteOffset
      step(block.byteOffset, count, at, stageBytes, last, dryMass)
    },
    bounds(scratch, count, table, bodies) {
      requireRows(scratch, count)
      require(table, SURROUNDINGS_DOUBLES * bodies)
      bounds(scratch.block.byteOffset, count, table.byteOffset, bodies)
    },
    turn(scratch, count, [x, y, z], quanta) {
      requireRows(scratch, count)
      turn(scratch.block.byteOffset, count, x, y, z, quanta / QUANTA_PER_SECOND)
    },
  }
}

/** Arrays begin at lines of the cache: no vector crosses one, no two threads share one. */
const LINE = 64

/**
 * An allocator that takes zeroed arrays from a region of the memory, one behind the other, and
 * never gives any back. It throws 'ERR_KERNEL_MEMORY' when the region is full.
 *
 * @param byteOffset  where the region begins [B]
 * @param byteLength  how long it is [B]
 */
export function scratchAllocator(
  memory: WebAssembly.Memory,
  byteOffset: number,
  byteLength: number,
): Allocate {
  const { buffer } = memory
  const end = byteOffset + byteLength
  if (end > buffer.byteLength) {
    throw memoryError(`The region ends at byte ${end} of a memory of ${buffer.byteLength}.`)
  }
  let next = byteOffset
  return (length) => {
    const begin = Math.ceil(next / LINE) * LINE
    const after = begin + length * Float64Array.BYTES_PER_ELEMENT
    if (after > end) {
      throw memoryError(
        `The region has ${Math.max(0, end - begin)} bytes left, ${after - begin} are asked for.`,
      )
    }
    next = after
    return new Float64Array(buffer, begin, length).fill(0)
  }
}

function memoryError(message: string): EngineError {
  return new EngineError('ERR_KERNEL_MEMORY', message)
}
