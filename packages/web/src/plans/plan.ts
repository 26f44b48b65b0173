/** Burns that are planned on the map, before they are an order. */
import type { Order } from '@orrery/client'
import { type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** Δv along velocity, orbit normal, and outwards across both [m/s]. */
export type DeltaV = readonly [prograde: number, normal: number, radial: number]

export interface PlanNode {
  readonly id: number
  /** lattice index of the middle of its burn */
  readonly index: number
  readonly deltaV: DeltaV
}

/** As many as the protocol takes. */
export const NODES_MAX = 16

export interface Plan {
  /** by rising time */
  readonly nodes: ReadonlySignal<readonly PlanNode[]>
  /** id of the node whose handles are shown */
  readonly chosen: Signal<number | undefined>
  /** Adds a node without Δv and chooses it; returns its id, undefined when there are too many. */
  add(index: number): number | undefined
  change(id: number, change: Partial<Omit<PlanNode, 'id'>>): void
  remove(id: number): void
  /** Puts other nodes in the place of all. */
  replace(nodes: readonly Omit<PlanNode, 'id'>[]): void
}

export function createPlan(): Plan {
  const nodes = signal<readonly PlanNode[]>([])
  const chosen = signal<number | undefined>(undefined)
  let ids = 0
  const put = (all: readonly PlanNode[]): void => {
    const sorted = all.toSorted((a, b) => a.index - b.index)
    nodes.value = sorted
    if (!all.some(({ id }) => id === chosen.peek())) chosen.value = sorted[0]?.id
  }
  return {
    nodes,
    chosen,
    add: (index) => {
      if (nodes.peek().length >= NODES_MAX) return undefined
      const id = ids++
      chosen.value = id
      put([...nodes.peek(), { id, index: Math.round(index), deltaV: [0, 0, 0] }])
      return id
    },
    change: (id, { index, deltaV }) => {
      const changed = (node: PlanNode): PlanNode => ({
        id,
        index: Math.round(index ?? node.index),
        deltaV: deltaV ? roundedAll(deltaV) : node.deltaV,
      })
      put(nodes.peek().map((node) => (node.id === id ? changed(node) : node)))
    },
    remove: (id) => put(nodes.peek().filter((node) => node.id !== id)),
    replace: (all) =>
      put(
        all.slice(0, NODES_MAX).map(({ index, deltaV }) => {
          return { id: ids++, index, deltaV: roundedAll(deltaV) }
        }),
      ),
  }
}

/** To a millimetre a second: what a field shows is what is flown. */
function roundedAll(deltaV: DeltaV): DeltaV {
  const [prograde, normal, radial] = deltaV.map((value) => Math.round(1000 * value) / 1000)
  return [prograde, normal, radial]
}

export function sizeOf({ deltaV }: Pick<PlanNode, 'deltaV'>): number {
  return Math.hypot(...deltaV)
}

/** The order that flies a plan; undefined where no node has Δv. */
export function planOrder(
  nodes: readonly PlanNode[],
): Extract<Order, { type: 'maneuver_start' }> | undefined {
  const burns = nodes.filter((node) => sizeOf(node) > 0)
  if (burns.length === 0) return undefined
  return {
    type: 'maneuver_start',
    maneuver: 'plan',
    nodes: burns.map(({ index, deltaV: [x, y, z] }) => {
      return { index, frame: 'prograde', vector: { x, y, z } }
    }),
  }
}
