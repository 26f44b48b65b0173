import { afterAll, beforeAll, describe } from 'vitest'
import { openBus } from '@orrery/bus'
import { NATS_SERVER, type NatsServer, startNatsServer } from '@orrery/testkit/nats-server'
import { busLaws } from '../bus-laws.ts'
import { unexpected } from './unexpected.ts'

describe.skipIf(!NATS_SERVER)('by NATS', () => {
  let server: NatsServer
  beforeAll(async () => {
    server = await startNatsServer()
  })
  afterAll(() => server.stop())

  busLaws(async () => {
    const options = { url: server.url, ...unexpected, onError: () => undefined }
    const [one, other] = await Promise.all([openBus(options), openBus(options)])
    return { one, other }
  })
})
