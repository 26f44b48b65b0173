// A process that subscribes to frames, and may be stopped.
import { openBus } from '@orrery/bus'
import { unexpected } from './unexpected.ts'

const bus = await openBus({ url: process.env['NATS_URL'] ?? '', ...unexpected })
bus.subscribe('frm.*', () => undefined)
bus.answer('ready', (payload) => Promise.resolve(payload))
await bus.request('ready', new Uint8Array(), { timeoutMs: 60_000 })
console.log('subscribed')
