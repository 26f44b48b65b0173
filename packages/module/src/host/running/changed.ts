import type { ModuleRoom } from '@orrery/engine/modules'
import type { Load } from '@orrery/sim'
import { SlotSet } from '../columns/slot-set.ts'
import { Tanks } from './tank.ts'

/** What calls have changed of ships, until the engine has it. */
export class Changed {
  /** slots of those that carry more or less */
  readonly loaded: SlotSet
  readonly tanks: Tanks

  constructor(state: ModuleRoom['state']) {
    this.loaded = new SlotSet(state.slots)
    this.tanks = new Tanks(state)
  }

  /** Gives it to the engine at the end of a beat. @param loadOf  what all modules give a slot */
  hand(room: ModuleRoom, beat: number, loadOf: (slot: number) => Load): void {
    for (const [slot, fuel] of this.tanks.take()) room.refuel(slot, beat, fuel)
    const loaded = this.loaded.take()
    for (let i = 0; i < loaded.length; i++) room.load(loaded[i], beat, loadOf(loaded[i]))
  }
}
