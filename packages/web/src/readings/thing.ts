/** Something in space that can be looked at, chosen as a target and flown to. */
export type Thing =
  | { readonly kind: 'body'; readonly name: string }
  | { readonly kind: 'ship' | 'station' | 'jumpgate'; readonly id: string }

/** A text that two equal things share and no others. */
export function keyOf(thing: Thing): string {
  return `${thing.kind} ${thing.kind === 'body' ? thing.name : thing.id}`
}

export function isSame(a: Thing | undefined, b: Thing | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && keyOf(a) === keyOf(b))
}
