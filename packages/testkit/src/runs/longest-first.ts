import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { type FileTimes, readDurations } from './durations.ts'

/** Starts the longest files first, so that none of them runs alone in the end. */
export class LongestFirst extends BaseSequencer {
  readonly #times: FileTimes = readDurations()

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => {
      // A process takes another file only when the next in line may share it.
      const isolation = Number(b.project.config.isolate) - Number(a.project.config.isolate)
      return isolation || this.#seconds(b) - this.#seconds(a)
    })
  }

  /** Files without a row may be long. */
  #seconds({ moduleId, project }: TestSpecification): number {
    const path = moduleId.slice(project.vitest.config.root.length + 1)
    return this.#times[path]?.seconds ?? Infinity
  }
}
