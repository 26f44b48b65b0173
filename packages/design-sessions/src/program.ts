import { runService } from '@orrery/http'
import { environmentHelp, serviceConfig } from './config.ts'

/** Runs the service as the program of this process. */
export async function serve(): Promise<void> {
  await runService({
    name: 'service',
    help: environmentHelp,
    config: serviceConfig,
    secrets: ({ token, databaseUrl }) => [token, databaseUrl],
    title: () => 'Design sessions:',
    start: async (config, logger) => {
      const { startService } = await import('./service.ts')
      return startService(config, logger)
    },
  })
}
