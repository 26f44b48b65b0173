import type { OwnRow } from '@orrery/engine/modules'
import type { RunningModule } from './running-module.ts'
import { valuesOf } from './views.ts'

/** What a client that runs some modules goes on from. */
export function ownRow(
  { columns, masses, module, stopped }: RunningModule,
  slot: number,
  run: readonly string[],
): OwnRow {
  const { id, version } = module
  const isRun = !stopped && run.includes(id)
  return {
    module: id,
    version,
    mass: masses?.memory.values[slot] ?? 0,
    ...(isRun && { values: valuesOf(columns, slot, 'pilot') }),
  }
}

/** What such a client cannot know by itself, as a text that changes with it. */
export function unforeseenOf(
  { masses, module, stopped, surprises }: RunningModule,
  slot: number,
  run: readonly string[],
): string {
  if (stopped || !run.includes(module.id)) return `=${masses?.memory.values[slot] ?? 0}`
  return String(surprises.get(slot) ?? 0)
}
