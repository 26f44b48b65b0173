import { type Bus, openBus } from '@orrery/bus'
import type { Logger } from '@orrery/http'
import type { Config } from './config.ts'

/**
 * The bus between servers; undefined where there is none.
 *
 * @throws {BusError} 'ERR_BUS_REFUSED'
 */
export async function openGameBus(
  { natsUrl, natsFiles }: Pick<Config, 'natsUrl' | 'natsFiles'>,
  logger: Logger,
): Promise<Bus | undefined> {
  if (!natsUrl) return undefined
  return openBus({
    ...natsFiles,
    url: natsUrl.reveal(),
    name: 'orrery',
    onAway: (reason) => logger.warn({ reason }, 'the bus is away; the database alone is read'),
    onBack: () => logger.info('the bus is back'),
    onError: (error) => logger.error({ err: error }, 'a message of the bus failed'),
  })
}
