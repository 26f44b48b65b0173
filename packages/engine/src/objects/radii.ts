import { RADIUS as JUMPGATE } from './jumpgates.ts'
import { RADIUS as STATION } from './stations.ts'

/** Radii of what is on rails, by kind [m]. */
export const OBJECT_RADII: { readonly station: number; readonly jumpgate: number } = {
  station: STATION,
  jumpgate: JUMPGATE,
}
