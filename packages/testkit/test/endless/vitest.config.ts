import { type ViteUserConfig, defineConfig } from 'vitest/config'
import { overdueFiles } from '../../src/runs/file-times.ts'

const config: ViteUserConfig = defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.ts'],
    exclude: ['vitest.config.ts'],
    experimental: { viteModuleRunner: false },
    reporters: ['default', overdueFiles(4_000)],
  },
})
export default config
