import { type ViteUserConfig, defineConfig } from 'vitest/config'
import { overdueFiles } from '../../src/runs/file-times.ts'
import { testPatience } from '../../src/runs/tier.ts'

const config: ViteUserConfig = defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.ts'],
    exclude: ['vitest.config.ts'],
    experimental: { viteModuleRunner: false },
    reporters: ['default', overdueFiles(5_000 * testPatience())],
  },
})
export default config
