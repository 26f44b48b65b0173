import { type Database, openDatabase } from '@orrery/database'
import { type World, systemClock } from '@orrery/engine'
import type { Logger } from '@orrery/http'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { type Config, gameConfig } from './config.ts'
import { openFrontDoor } from './front-door.ts'
import { openRecords } from '@orrery/game'
import { openGame } from './game.ts'
import { createMetrics } from './operations/metrics.ts'
import { watchedSnapshots } from './operations/snapshot-watch.ts'
import { newWorld } from '@orrery/game'

/** A server that listens and ticks. */
export interface GameServer {
  /** where clients find it */
  readonly address: URL
  /** resolves, with the reason, when the world is somebody else's: only stopping is left */
  readonly dispossessed: Promise<string>
  /** lets requests and the running tick end, stores the world, closes everything */
  stop(): Promise<void>
}

/**
 * Listens, opens the database and the world, and ticks.
 *
 * @throws {FrontDoorError | DatabaseError | StoreError | EnvironmentAdminError | EngineError}
 *   with a reason in one line
 */
export async function startGameServer(config: Config, logger: Logger): Promise<GameServer> {
  const door = await openFrontDoor(config, logger)
  const dispossessed = Promise.withResolvers<string>()
  const { database, prepared } = await openGameDatabase(config, logger, dispossessed.resolve)
  try {
    const metrics = createMetrics()
    const records = await openRecords({
      database,
      config: gameConfig(config),
      logger,
      watched: (snapshots) => watchedSnapshots(snapshots, { metrics, logger }),
    })
    const onFenced = (): void => dispossessed.resolve('another server has taken the world')
    const game = await openGame({ records, prepared, config, logger, metrics, onFenced })
    game.sockets.attach(door.server)
    if (door.certificateEndMs !== undefined) game.metrics.certificate(door.certificateEndMs)
    door.open(createApp({ ...game, config, logger }))
    game.start()
    return {
      address: door.address,
      dispossessed: dispossessed.promise,
      stop: async () => {
        await Promise.all([game.sockets.close(), door.close()])
        await game.stop()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database, and makes the new world that a first start will need meanwhile. */
async function openGameDatabase(
  config: Config,
  logger: Logger,
  onLost: (reason: string) => void,
): Promise<{ database: Database; prepared: World | undefined }> {
  const { databaseUrl, dataDirectory, worldSeed, shipsMax } = config
  const directory = join(dataDirectory, 'game')
  const isFirst = databaseUrl === undefined && !existsSync(directory)
  const opening = openDatabase({
    ...(databaseUrl && { url: databaseUrl.reveal() }),
    directory,
    schema: 'game',
    exclusive: true,
    onLost: (error) => onLost(error.message),
    onNotice: (notice, level) => logger[level]({ notice }, 'database'),
  })
  const preparing = isFirst ? newWorld(systemClock, { seed: worldSeed, shipsMax }) : undefined
  const [database, prepared] = await Promise.all([opening, preparing])
  return { database, prepared }
}
