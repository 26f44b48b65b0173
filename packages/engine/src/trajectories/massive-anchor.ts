import { anchorAt } from '@orrery/sim'
import { type World, startNode } from '../world/world.ts'
import { Rows } from './rows.ts'

const ANCHOR_COLUMNS = [
  { name: 'node', type: 'f64', components: 1, unit: 'of 16,384 quanta each' },
  { name: 'x', type: 'f64', components: 3, unit: 'm, barycentric' },
  { name: 'v', type: 'f64', components: 3, unit: 'm/s' },
  { name: 'xLow', type: 'f64', components: 3, unit: 'm' },
  { name: 'vLow', type: 'f64', components: 3, unit: 'm/s' },
] as const

export type MassiveAnchor = Rows<typeof ANCHOR_COLUMNS>

/**
 * The massive bodies at a node before all open steps, by which they are integrated on to the bit;
 * a row per body.
 */
export function massiveAnchor({ index, integration }: World): MassiveAnchor {
  const { node, v, vLow, x, xLow } = anchorAt(integration, startNode(index))
  const bodies = x.length / 3
  const rows = new Rows(ANCHOR_COLUMNS, bodies)
  rows.count = bodies
  const { columns } = rows
  columns.node.fill(node)
  columns.x.set(x)
  columns.v.set(v)
  columns.xLow.set(xLow)
  columns.vLow.set(vLow)
  return rows
}
