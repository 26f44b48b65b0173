/**
 * The engine with its insides, for tests, benches and scripts: worlds can be changed here.
 *
 * @module
 */
export * from './index.ts'
