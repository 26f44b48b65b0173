import { type ViteUserConfig, defineConfig } from 'vitest/config'

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As in production, Node runs our TypeScript itself: Vite's loops take up to six times as long.
    experimental: { viteModuleRunner: false },
    // Two cores: more files at once only slow each other's real server processes.
    maxWorkers: 2,
  },
})
export default config
