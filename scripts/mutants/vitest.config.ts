/** Configuration of the test runs: one file after another, in the order given, to a failure. */
import { type TestSpecification, BaseSequencer } from 'vitest/node'
import { type ViteUserConfig, mergeConfig } from 'vitest/config'
import house from '../../vitest.config.ts'

/** Paths of the test files, separated by spaces. */
const ORDER = process.env['TEST_ORDER']?.split(' ') ?? []

class GivenOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      ORDER.findIndex((path) => moduleId.endsWith(path))
    return Promise.resolve(files.toSorted((a, b) => place(a) - place(b)))
  }
}

// Without its projects, whose files share processes: coverage is that of one file.
const config: ViteUserConfig = mergeConfig(
  { test: { ...house.test, projects: undefined } },
  {
    root: new URL('../..', import.meta.url).pathname,
    test: {
      bail: 1,
      pool: 'forks',
      maxWorkers: 1,
      sequence: { sequencer: GivenOrder },
      setupFiles: ['scripts/mutants/take-coverage.ts'],
    },
  },
)
export default config
