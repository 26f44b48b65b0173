/**
 * The architecture design session service: records, rendering, documents, knowledge.
 *
 * ```ts
 * const service = await startService(serviceConfig(process.env), logger)
 * await fetch(new URL('/api/v1/clients', service.address))
 * await service.stop()
 * ```
 *
 * @module
 */
export { type Config, serviceConfig } from './config.ts'
export { startService } from './service.ts'
