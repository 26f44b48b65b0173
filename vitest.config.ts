import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type ViteUserConfig, defineConfig } from 'vitest/config'
import { fileTimes, overdueFiles } from '@orrery/testkit/file-times'
import { LongestFirst } from '@orrery/testkit/longest-first'
import { keepTestFilesInMemory } from '@orrery/testkit/scratch-directory'
import { IS_NIGHT, settlePatience, testPatience } from '@orrery/testkit/tier'

// Test files and the services they start share most modules: compiled once, not in each process.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

keepTestFilesInMemory()
settlePatience()

/** Files without state of their own outside of what they start: one process runs many of them. */
const SHARED = [
  'packages/{bus,catalog,client,database,engine,game}/test/**/*.test.ts',
  'packages/{gateway,http,module,protocol,sim,store}/test/**/*.test.ts',
  'packages/design-sessions/test/**/!(limits|no-native-build).test.ts',
  'packages/{diagrams-py,mermaid-svg}/test/**/*.test.ts',
  'packages/{console,page-kit,web}/test/**/*.test.ts',
  'packages/cli/test/*.test.ts',
  'packages/testkit/test/*.test.ts',
  'scripts/test/{checks,client,crash,sky,soak,start}/*.test.ts',
  'scripts/test/*.test.ts',
]

/** Whole files of the long tier. */
const NIGHT_ONLY = IS_NIGHT ? [] : ['**/*.night.test.ts']

const patience = testPatience() * (IS_NIGHT ? 10 : 1)

const config: ViteUserConfig = defineConfig({
  test: {
    // A machine that is busy fails no test: it has as much more time.
    testTimeout: 60_000 * patience,
    hookTimeout: 60_000 * patience,
    expect: { poll: { timeout: 20_000 * patience } },
    reporters: ['default', overdueFiles(240_000 * patience), fileTimes()],
    runner: '@orrery/testkit/timed-runner',
    execArgv: ['--import', import.meta.resolve('@orrery/testkit/bundled-threads')],
    // As in production, Node runs our TypeScript itself: Vite's loops take up to six times as long.
    experimental: { viteModuleRunner: false },
    // One more than cores: files wait for game time, but the servers they start use the cores too.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: SHARED, exclude: NIGHT_ONLY, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
          exclude: [...SHARED, ...NIGHT_ONLY],
        },
      },
    ],
  },
})
export default config
