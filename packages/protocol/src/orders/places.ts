/** What orders of one ship can name. Each function throws an error of its own for the unknown. */
export interface Places {
  /** index of a body, by its name in any case */
  body(name: string): number
  /** index of the star */
  star(): number
  /** number of a ship in the same star system, by its id */
  ship(id: string): number
  /** id of a station there, as it is kept */
  station(id: string): string
  /** id of a jump gate there, as it is kept */
  jumpgate(id: string): string
}
