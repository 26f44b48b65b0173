import { type ViteUserConfig, defineConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // On two cores: servers and databases wait a good part of the time.
    maxWorkers: 3,
  },
})
export default config
