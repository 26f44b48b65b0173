import { runService } from '@orrery/http'
import { environmentHelp, gatewayConfig } from './config.ts'

/** Runs the server as the program of this process. */
export async function serve(): Promise<void> {
  await runService({
    name: 'game server',
    help: environmentHelp,
    config: gatewayConfig,
    secrets: ({ tokenKey, databaseUrl, natsUrl, adminPassword, metricsToken }) => [
      tokenKey,
      databaseUrl,
      natsUrl,
      adminPassword,
      metricsToken,
    ],
    title: ({ serverName }) => serverName,
    start: async (config, logger) => {
      if (!config.isHost) {
        const { startGateway } = await import('./gateway-server.ts')
        return startGateway(config, logger)
      }
      const { startGameServer } = await import('./game-server.ts')
      return startGameServer(config, logger)
    },
  })
}
