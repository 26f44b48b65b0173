import type { OwnRow } from '@orrery/engine/modules'
import type { RunningModule } from '../running/running-module.ts'
import { valuesOf } from './views.ts'

/** What a client that runs some modules goes on from. */
export function ownRow(
  { columns, loads, module, stopped }: RunningModule,
  slot: number,
  run: readonly string[],
): OwnRow {
  const { id, version } = module
  const isRun = !stopped && run.includes(id)
  return {
    module: id,
    version,
    mass: loads.mass(slot),
    thrust: loads.thrust(slot),
    ...(isRun && { values: valuesOf(columns, slot, 'pilot') }),
  }
}

/** What such a client cannot know by itself, as a text that changes with it. */
export function unforeseenOf(
  { loads, module, stopped, surprises }: RunningModule,
  slot: number,
  run: readonly string[],
): string {
  if (stopped || !run.includes(module.id)) return `=${loads.mass(slot)}*${loads.thrust(slot)}`
  return `${module.version}:${surprises.get(slot) ?? 0}`
}
