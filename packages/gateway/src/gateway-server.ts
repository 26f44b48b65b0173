import { openDatabase } from '@orrery/database'
import { type Logger, type Service, serve, waitingApp } from '@orrery/http'
import type { Config } from './config.ts'
import { errorShape } from './documents/error-shape.ts'
import { openGameBus } from './game-bus.ts'
import { openGateway } from './gateway.ts'
import { requireLimits } from './limits.ts'
import { openGameListener } from './listener.ts'
import { given } from './given.ts'

/**
 * Serves clients from a mirror of a world that another server owns; owns and stores nothing.
 *
 * @throws {StartError | DatabaseError | BusError | StoreError} with a reason in one line
 */
export async function startGateway(config: Config, logger: Logger): Promise<Service> {
  requireLimits()
  const ships = await given(config)
  const listener = await openGameListener(config, logger)
  return serve(listener, async (opened) => {
    const database = await openDatabase({
      ...(config.databaseUrl && { url: config.databaseUrl.reveal() }),
      directory: config.dataDirectory,
      schema: 'game',
      onNotice: (notice, level) => logger[level]({ notice }, 'database'),
    })
    opened.defer(() => database.close())
    const bus = await openGameBus(config, logger)
    opened.defer(() => bus?.close())
    const gateway = openGateway({
      database,
      bus,
      config,
      ships,
      logger,
      onShown: (app, sockets) => {
        sockets.attach(listener.server)
        listener.open(app)
        logger.info('the world is shown')
      },
    })
    opened.defer(() => gateway.stop())
    const message = (): string =>
      `The world is not there yet: ${gateway.failure() ?? 'it is being read'}`
    return {
      app: waitingApp({ message, shape: errorShape, logger }),
      closeUpgraded: async () => gateway.sockets()?.close(),
    }
  })
}
