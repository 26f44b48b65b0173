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

  /**
   * The beats of all, in their order. One guard is enough for them, as each costs a thread; it may
   * end anywhere in what it guards, where therefore nothing is kept.
   */
  beatAll(all: readonly RunningModule[]): void {
    const beat = this.#beat
    const due = all.filter((one) => this.#begins(one) && one.beating(beat).length > 0)
    const ships = due.reduce((sum, one) => sum + one.beating(beat).length, 0)
    const hung = new Set<RunningModule>()
    let next = 0
    // It may have ended just as its time did.
    const undo = (): void => due[next]?.undoCall()
    const run = (): void => {
      for (; next < due.length; next++) timed(due[next].cost, () => due[next].runBeat(beat))
    }
    if (due.every(({ module }) => module.isStraight)) run()
    while (next < due.length) {
      try {
        guarded(run, { ships, undo })
      } catch (error) {
        const one = due[next++]
        if (!one) break
        hung.add(one)
        this.#note(one, one.broken(beat, error))
      }
    }
    for (const one of due) if (!hung.has(one)) this.#note(one, one.endBeat(beat))
  }

  /** A call at a beat, unless the module has stopped, or did so there by its journal. */
  call(running: RunningModule, act: () => Broken): void {
    if (this.#begins(running)) this.#note(running, timed(running.cost, act))
  }

  /** Counts a call; false where the module has stopped, or does so here by its journal. */
  #begins(running: RunningModule): boolean {
    if (running.stopped) return false
    const { id } = running.module
    const call = this.#count(running)
    this.#counts.set(id, call + 1)
    const fault = this.#expected.find((one) => {
      return one.module === id && one.index === this.#beat && (one.call ?? 0) === call
    })
    if (fault) running.stopped = { index: fault.index, reason: fault.reason }
    return !fault
  }

  /** Calls of a module at the present beat. */
  #count({ module: { id } }: RunningModule): number {
    return this.#counts.get(id) ?? 0
  }

  #note(running: RunningModule, broken: Broken): void {
    if (!broken) return
    const call = this.#count(running) - 1
    running.cost.breaks++
    this.#faults.push({ module: running.module.id, ...broken, ...(call > 0 && { call }) })
  }
}
