/** What can be chosen on the map. */

export type LagrangeNumber = 1 | 2 | 3 | 4 | 5

export type MapThing =
  | { readonly kind: 'body'; readonly body: number }
  | { readonly kind: 'ship'; readonly id: string }
  /** a station or a jump gate */
  | { readonly kind: 'object'; readonly id: string }
  /** of a body and its parent */
  | { readonly kind: 'lagrange'; readonly body: number; readonly point: LagrangeNumber }
  /** free space above a body [m] */
  | { readonly kind: 'altitude'; readonly body: number; readonly altitude: number }

export const LAGRANGE_NUMBERS: readonly LagrangeNumber[] = [1, 2, 3, 4, 5]

export function isSameThing(a: MapThing, b: MapThing | undefined): boolean {
  if (a.kind !== b?.kind) return false
  if ('id' in a) return 'id' in b && a.id === b.id
  const pointOf = (thing: MapThing): number | undefined =>
    thing.kind === 'lagrange' ? thing.point : undefined
  return 'body' in b && a.body === b.body && pointOf(a) === pointOf(b)
}
