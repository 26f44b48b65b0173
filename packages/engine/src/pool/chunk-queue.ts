import { CHUNK_SLOTS, FLYING, type Round, type WorldState } from '@orrery/sim'

/** Number of a chunk among those of all systems: the system's place times `stride`, and its own. */
export type ChunkNumber = number

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
  /** how many ships are due in each chunk of a short list; the calling thread's own */
  readonly dueShips: Int32Array
  /** more than any system has chunks */
  readonly stride: number
}

const NEXT = 0
const LISTED = 1

/** In longer lists the last claims are a small part of the round. */
const SHORT_LIST = 64

type Sized = Pick<WorldState, 'chunks'>

/** Bytes of the buffer for `attachQueue`. */
export function queueBytes(states: readonly Sized[], tasks: number): number {
  return 4 * (2 + tasks + states.reduce((sum, { chunks }) => sum + chunks, 0))
}

export function attachQueue(
  buffer: SharedArrayBuffer,
  states: readonly Sized[],
  tasks: number,
): ChunkQueue {
  return {
    head: new Int32Array(buffer, 0, 2),
    inHand: new Int32Array(buffer, 8, tasks),
    list: new Int32Array(buffer, 8 + 4 * tasks),
    dueShips: new Int32Array(SHORT_LIST),
    stride: Math.max(...states.map(({ chunks }) => chunks)),
  }
}

/** The system that a listed chunk belongs to, by its place, and the chunk there. */
export function placeOf(
  { stride }: ChunkQueue,
  number: ChunkNumber,
): [world: number, chunk: number] {
  return [Math.floor(number / stride), number % stride]
}

/**
 * Replaces the list by the chunks that are due, while no task runs; returns how many. In a short
 * list those with most work are first, so that no thread begins one when the others end.
 *
 * @param rounds  of each system; undefined where none of its chunks is to be flown
 */
export function listDueChunks(
  queue: ChunkQueue,
  states: readonly WorldState[],
  rounds: readonly (Round | undefined)[],
): number {
  let listed = 0
  for (const [world, round] of rounds.entries()) {
    if (!round) continue
    const state = states[world]
    for (let chunk = 0; chunk < state.chunks; chunk++) {
      if (isDue(state, chunk, round)) queue.list[listed++] = world * queue.stride + chunk
    }
  }
  if (listed <= SHORT_LIST) putMostDueFirst(queue, states, rounds, listed)
  return beginRound(queue, listed)
}

function putMostDueFirst(
  { dueShips, list, stride }: ChunkQueue,
  states: readonly WorldState[],
  rounds: readonly (Round | undefined)[],
  listed: number,
): void {
  for (let i = 0; i < listed; i++) {
    const number = list[i]
    const world = Math.floor(number / stride)
    const count = countDue(states[world], number % stride, rounds[world]?.target ?? -Infinity)
    let place = i
    for (; place > 0 && dueShips[place - 1] < count; place--) {
      dueShips[place] = dueShips[place - 1]
      list[place] = list[place - 1]
    }
    dueShips[place] = count
    list[place] = number
  }
}

function countDue({ ships }: WorldState, chunk: number, target: number): number {
  const { condition, stepEnd } = ships
  const end = (chunk + 1) * CHUNK_SLOTS
  let count = 0
  for (let slot = chunk * CHUNK_SLOTS; slot < end; slot++) {
    if (condition[slot] === FLYING && stepEnd[slot] <= target) count++
  }
  return count
}

/**
 * Lists what is numbered from 0 in each system in the place of its chunks, while no task runs;
 * returns how many.
 */
export function listNumbers(queue: ChunkQueue, counts: readonly number[]): number {
  const { list, stride } = queue
  let listed = 0
  for (const [world, count] of counts.entries()) {
    for (let i = 0; i < count; i++) list[listed++] = world * stride + i
  }
  return beginRound(queue, listed)
}

function beginRound({ head, inHand }: ChunkQueue, listed: number): number {
  head[NEXT] = 0
  head[LISTED] = listed
  inHand.fill(-1)
  return listed
}

/** Whether a chunk has a step that ends, or an order that acts, up to a round's target. */
export function isDue(state: WorldState, chunk: number, { target, meetingOnly }: Round): boolean {
  return (!meetingOnly || state.chunk.chunkMeets[chunk] === 1) && dueAt(state, chunk) <= target
}

/** Lattice index of what happens next in a chunk: a step that ends, or an order that acts. */
export function dueAt(state: WorldState, chunk: number): number {
  const { chunkDue, chunkOrderBegin, chunkOrderEnd } = state.chunk
  const begin = chunkOrderBegin[chunk]
  const ordered = begin < chunkOrderEnd[chunk] ? state.orders.orderIndex[begin] : Infinity
  return Math.min(chunkDue[chunk], ordered)
}

/** Takes the next chunk into a task's hand; -1 when none is left. */
export function claimChunk({ head, inHand, list }: ChunkQueue, task: number): ChunkNumber {
  const place = Atomics.add(head, NEXT, 1)
  const chunk = place < head[LISTED] ? list[place] : -1
  Atomics.store(inHand, task, chunk)
  return chunk
}

/** A text that changes whenever a task claims a chunk, or ends a step of the one in its hand. */
export function queueProgress(queue: ChunkQueue, states: readonly WorldState[]): string {
  const marks = Array.from(queue.inHand, (number) => {
    if (number < 0) return '-'
    const [world, chunk] = placeOf(queue, number)
    // A trial has a slot in its hand, which may be no chunk of any system.
    const due = states.at(world)?.chunk
    return `${number} ${due?.chunkDue[chunk]} ${due?.chunkOrderBegin[chunk]}`
  })
  return [Atomics.load(queue.head, NEXT), ...marks].join()
}
