/**
 * The star systems of the game as data with source and epoch: bodies, start states, checkpoints.
 * Reads no disk: an app passes the bytes of `checkpointsUrl`.
 *
 * @example
 * const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
 * const state = checkpointAtOrBefore(checkpoints, 1_000_000)
 * const earth = bodyIndex(solSystem, 'earth')
 */
export { type BodyAccuracy, bodyAccuracy } from './accuracy.ts'
export { checkpointInputs } from './checkpoint-inputs.ts'
export { CatalogError, type CatalogErrorCode } from './catalog-error.ts'
export {
  CHECKPOINT_NODES,
  type Checkpoints,
  checkpointAtOrBefore,
  checkpointBytes,
  checkpointTowards,
  checkpointsUrl,
  parseCheckpoints,
} from './checkpoints.ts'
export { bodyIndex, solStateJ2000, solSystem } from './sol.ts'
export { type CatalogSystem, STAR_SYSTEMS } from './star-systems.ts'
export { CATALOG_OBJECTS, type CatalogJumpgate, type CatalogStation } from './world-objects.ts'
