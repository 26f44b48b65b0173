import { fileURLToPath } from 'node:url'
import { type ViteUserConfig, defineConfig } from 'vitest/config'
import { overdueFiles } from '@orrery/testkit/overdue-files'

// Test files and the services they start share most modules: compiled once, not in each process.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

/** Files without state of their own outside of what they start: one process runs many of them. */
const SHARED = [
  'packages/{catalog,client,database,engine,game}/test/**/*.test.ts',
  'packages/{gateway,http,protocol,sim,store}/test/**/*.test.ts',
  'packages/web/test/{build,game,input,map,page,scene,space}/**/*.test.ts',
]

const config: ViteUserConfig = defineConfig({
  test: {
    // A machine four times as busy fails no test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000 } },
    // The longest file takes two minutes.
    reporters: ['default', overdueFiles(20 * 60_000)],
    // As in production, Node runs our TypeScript itself: Vite's loops take up to six times as long.
    experimental: { viteModuleRunner: false },
    // One more than cores here: real server processes leave gaps while they are waited for.
    maxWorkers: 3,
    // In the order of their names: short files come last, which keeps both cores busy to the end.
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
          exclude: SHARED,
        },
      },
    ],
  },
})
export default config
