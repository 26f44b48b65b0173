/** Rows of modules in the picture, as signs with names. */
import type { ModuleStateResponse, ModulesResponse } from '@orrery/client'
import { addScaled, length, vector } from '@orrery/page-kit'
import type { MarkLayer, Sign } from '../lines/mark-layer.ts'
import type { Frame } from '../scene/frame.ts'
import type { LabelItem } from '../view/label-source.ts'
import type { Stage } from '../view/stage.ts'
import { PER_SECOND, type RailedRow, placeAfter, railedRow } from './row-place.ts'

const COLOUR = [0.85, 0.75, 0.55] as const

/** Less than all else that has a name. */
const PRIORITY = 2

const ORIGIN = vector()
const place = { r: vector(), v: vector() }

interface MarkedRow extends RailedRow {
  readonly key: string
  readonly text: string
}

/** What is marked, as last read. */
export interface Marked {
  readonly modules: ModulesResponse['modules']
  readonly state: ModuleStateResponse | undefined
}

/** Of the page: loaded with the panels, it would part the page's scripts. */
export type Signs = (signs: () => readonly Sign[]) => MarkLayer

/** Returns how to take the marks away. */
export function attachRowMarks(stage: Stage, draw: Signs, marked: () => Marked): () => void {
  let last: ModuleStateResponse | undefined
  let rows: readonly MarkedRow[] = []
  let signs: readonly Sign[] = []
  let items: readonly LabelItem[] = []
  const layer = draw(() => signs)
  const removals = [
    stage.addLayer(layer),
    stage.addLabels({ items: () => items }),
    stage.onFrame((frame) => {
      const { modules, state } = marked()
      if (state !== last) rows = state ? markedRows(modules, state) : []
      last = state
      const placed = rows
        .flatMap((row) => placedRow(row, frame, state?.index ?? NaN) ?? [])
        // Where there are too many signs, the last are left out.
        .toSorted((a, b) => length(a.position) - length(b.position))
      signs = placed.map(({ position }) => {
        return { shape: 'diamond', colour: COLOUR, position, isLarge: false }
      })
      items = placed
    }),
  ]
  return () => {
    for (const remove of removals) remove()
    layer.dispose()
  }
}

function markedRows(
  modules: ModulesResponse['modules'],
  { tables }: ModuleStateResponse,
): readonly MarkedRow[] {
  return modules.flatMap(({ module, panel }) => {
    const lists = panel?.lists.filter(({ marker }) => marker) ?? []
    return lists.flatMap(({ row: name, table }) =>
      (tables[module]?.[table] ?? []).flatMap((values, i) => {
        const railed = railedRow(values)
        const key = `${module} ${table} ${i + 1}`
        return railed ? [{ ...railed, key, text: `${name} ${i + 1}` }] : []
      }),
    )
  })
}

function placedRow(
  row: MarkedRow,
  { camera, surroundings, time }: Frame,
  index: number,
): LabelItem | undefined {
  const body = surroundings.bodies.findIndex(({ name }) => name === row.around)
  if (body < 0 || Number.isNaN(time)) return undefined
  placeAfter(place, row, (time - index) / PER_SECOND)
  const position = vector()
  surroundings.chain.difference(position, camera, { body, offset: ORIGIN })
  addScaled(position, position, place.r, 1)
  const { key, text } = row
  return { key, text, kind: 'mark', position, pixels: 6, priority: PRIORITY, thing: undefined }
}
