import type { ModuleFault } from '@orrery/engine/modules'
import { guarded } from '../calls/time-limit.ts'
import { timed } from '../views/cost.ts'
import type { RunningModule } from './running-module.ts'

type Broken = RunningModule['stopped']

/** Calls modules at beats, and notes those that break. */
export class BeatCalls {
  readonly #expected: ModuleFault[] = []
  readonly #faults: ModuleFault[] = []
  /** of each module at the present beat */
  readonly #counts = new Map<string, number>()
  #beat = -Infinity

  begin(beat: number): void {
    this.#beat = beat
    this.#counts.clear()
  }

  expect(fault: ModuleFault): void {
    this.#expected.push(fault)
  }

  takeFaults(): readonly ModuleFault[] {
    return this.#faults.splice(0)
  }

  /** The beats of all, in their order; one guard is enough for them, as each costs a thread. */
  beatAll(all: readonly RunningModule[]): void {
    const call = (one: RunningModule): void => this.call(one, () => one.beat(this.#beat))
    const working = all.filter((running) => running.beating(this.#beat).length > 0)
    if (working.length < 2) return all.forEach(call)
    for (let next = 0; next < all.length; next++) {
      try {
        const ships = working.reduce((sum, one) => sum + one.beating(this.#beat).length, 0)
        const undo = (): void => {
          all[next].undoCall()
          this.#counts.set(all[next].module.id, this.#count(all[next]) - 1)
        }
        guarded(
          () => {
            for (; next < all.length; next++) call(all[next])
          },
          { ships, undo },
        )
      } catch (error) {
        // It hung, so that nothing after it was done.
        const hung = all[next]
        this.#note(
          hung,
          timed(hung.cost, () => hung.broken(this.#beat, error)),
        )
      }
    }
  }

  /** A call at a beat, unless the module has stopped, or did so there by its journal. */
  call(running: RunningModule, act: () => Broken): void {
    if (running.stopped) return
    const { id } = running.module
    const call = this.#count(running)
    this.#counts.set(id, call + 1)
    const fault = this.#expected.find((one) => {
      return one.module === id && one.index === this.#beat && (one.call ?? 0) === call
    })
    if (fault) running.stopped = { index: fault.index, reason: fault.reason }
    else this.#note(running, timed(running.cost, act))
  }

  /** Calls of a module at the present beat. */
  #count({ module: { id } }: RunningModule): number {
    return this.#counts.get(id) ?? 0
  }

  #note(running: RunningModule, broken: Broken): void {
    const call = this.#count(running) - 1
    if (broken)
      this.#faults.push({ module: running.module.id, ...broken, ...(call > 0 && { call }) })
  }
}
