// Law: the engine writes records in the columns that the protocol describes to clients.
import {
  Trajectories,
  addShip,
  massiveAnchor,
  ownShipCheck,
  shipSeed,
} from '@orrery/engine/testing'
import { FRAME_BLOCKS } from '@orrery/protocol'
import { expect, it } from 'vitest'
import { smallUniverse } from '../small-universe.ts'

const ARRAYS: Readonly<Record<string, unknown>> = {
  f64: Float64Array,
  f32: Float32Array,
  i32: Int32Array,
  u32: Uint32Array,
  u8: Uint8Array,
}

it('of publications, seeds, checks and anchors', () => {
  const [world] = smallUniverse().worlds
  const entry = addShip(world, 'one', 'One')
  const { arcs, burns, hulls, steps } = new Trajectories(world, 0).publish()
  const checks = ownShipCheck(world, entry)
  const blocks = { arcs, burns, hulls, steps, checks, anchor: massiveAnchor(world) }
  for (const [name, { columns }] of Object.entries({ ...blocks, ...shipSeed(world, entry) })) {
    const table = FRAME_BLOCKS.find((block) => block.name === name)!.columns
    const [first] = Object.entries<ArrayLike<number>>(columns)
    const rows = first[1].length / table[0].components
    const names = table.map((column) => column.name)
    expect(Object.keys(columns), `columns of ${name}`).toEqual(names)
    for (const column of table) {
      const values = (columns as unknown as Record<string, ArrayLike<number>>)[column.name]
      expect(values, `${name} ${column.name}`).toBeInstanceOf(ARRAYS[column.type])
      expect(values.length / rows, `${name} ${column.name}`).toBe(column.components)
    }
  }
})
