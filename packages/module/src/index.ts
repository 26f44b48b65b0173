/**
 * Rules of a game's own: columns of ships, tables of star systems, commands and beats, which are
 * journalled, replayed and hashed with the flight.
 *
 * ```ts
 * export const mining = defineModule({ id: 'mining', version: 1, ship: { ore: f64('kg') }, ... })
 * ```
 */
export * as v from './body.ts'
export { type Column, type Columns, bit, f64, i32, row, text, u32 } from './column.ts'
export { type GameModule, defineModule } from './define-module.ts'
export { ModuleError, refusal } from './module-error.ts'
