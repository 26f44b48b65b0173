/** Runs modules in worlds. */
export { gameModules } from './world-host.ts'
