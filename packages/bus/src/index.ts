/**
 * What passes between the processes of one universe. It may lose anything at any time.
 *
 * @example
 * ```ts
 * const bus = createLocalBus()
 * bus.answer(subject('cmd', 'sol', 7), async (payload) => acted(payload))
 * const reply = await bus.request(subject('cmd', 'sol', 7), payload, { timeoutMs: 500 })
 * ```
 * @module
 */
export type { Bus, BusMetrics, Reply, RequestOptions, Subscription, Take } from './bus.ts'
export { BusError, type BusErrorCode } from './bus-error.ts'
export { createLocalBus } from './local-bus.ts'
export { openBus } from './open-bus.ts'
export type { BusOptions } from './options.ts'
export { subject } from './subject.ts'
