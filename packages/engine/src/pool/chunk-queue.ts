import type { WorldState } from '@orrery/sim'

/**
 * The chunks of one round: the calling thread lists those with something to do, tasks claim one
 * after the other. Shared between threads, all 32-bit:
 *
 * ```
 * | next to claim | listed | claimed chunk, one per task | the list |
 * ```
 */
export interface ChunkQueue {
  readonly head: Int32Array
  /** what each task of the round works on; -1 before and after */
  readonly inHand: Int32Array
  readonly list: Int32Array
}

const NEXT = 0
const LISTED = 1

/** Bytes of the buffer for `attachQueue`. */
export function queueBytes(chunks: number, tasks: number): number {
  return 4 * (2 + tasks + chunks)
}

export function attachQueue(buffer: SharedArrayBuffer, tasks: number): ChunkQueue {
  return {
    head: new Int32Array(buffer, 0, 2),
    inHand: new Int32Array(buffer, 8, tasks),
    list: new Int32Array(buffer, 8 + 4 * tasks),
  }
}

/** Replaces the list by the chunks that are due, while no task runs; returns how many. */
export function listDueChunks(
  queue: ChunkQueue,
  state: WorldState,
  target: number,
  meetingOnly: boolean,
): number {
  let listed = 0
  for (let chunk = 0; chunk < state.chunks; chunk++) {
    if (isDue(state, chunk, target, meetingOnly)) queue.list[listed++] = chunk
  }
  queue.head[NEXT] = 0
  queue.head[LISTED] = listed
  queue.inHand.fill(-1)
  return listed
}

/** Lists what is numbered from 0 in the place of chunks, while no task runs. */
export function listNumbers({ head, inHand, list }: ChunkQueue, numbers: number): void {
  for (let i = 0; i < numbers; i++) list[i] = i
  head[NEXT] = 0
  head[LISTED] = numbers
  inHand.fill(-1)
}

/** Whether a chunk has a step that ends, or an order that acts, up to `target`. */
export function isDue(
  state: WorldState,
  chunk: number,
  target: number,
  meetingOnly: boolean,
): boolean {
  const { chunkDue, chunkMeets, chunkOrderBegin, chunkOrderEnd } = state.chunk
  if (meetingOnly && chunkMeets[chunk] !== 1) return false
  if (chunkDue[chunk] <= target) return true
  const begin = chunkOrderBegin[chunk]
  return begin < chunkOrderEnd[chunk] && state.orders.orderIndex[begin] <= target
}

/** Takes the next chunk into a task's hand; -1 when none is left. */
export function claimChunk({ head, inHand, list }: ChunkQueue, task: number): number {
  const place = Atomics.add(head, NEXT, 1)
  const chunk = place < head[LISTED] ? list[place] : -1
  Atomics.store(inHand, task, chunk)
  return chunk
}

/** A text that changes whenever a task claims a chunk, or ends a step of the one in its hand. */
export function queueProgress({ head, inHand }: ChunkQueue, state: WorldState): string {
  const { chunkDue, chunkOrderBegin } = state.chunk
  const marks = Array.from(
    inHand,
    (chunk) => `${chunk} ${chunkDue[chunk]} ${chunkOrderBegin[chunk]}`,
  )
  return [Atomics.load(head, NEXT), ...marks].join()
}
