import { fileURLToPath } from 'node:url'
import { type ViteUserConfig, defineConfig } from 'vitest/config'

// Test files and the services they start share most modules: compiled once, not in each process.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
)

/** Mathematics, without processes and state of their own: one process runs many such files. */
const PURE = ['catalog', 'client', 'protocol', 'sim'].map(
  (name) => `packages/${name}/test/**/*.test.ts`,
)

const config: ViteUserConfig = defineConfig({
  test: {
    // A machine four times as busy fails no test.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 200_000 } },
    // As in production, Node runs our TypeScript itself: Vite's loops take up to six times as long.
    experimental: { viteModuleRunner: false },
    // Two cores: more files at once only slow each other's real server processes.
    maxWorkers: 2,
    // In the order of their names: short files come last, which keeps both cores busy to the end.
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
          exclude: PURE,
        },
      },
    ],
  },
})
export default config
