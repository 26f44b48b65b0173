/**
 * What orders of one ship can name. Each function throws an error of its own for the unknown, and
 * takes the field of the message for it.
 */
export interface Places {
  /** index of a body, by its name in any case */
  body(name: string, field: string): number
  /** index of the star */
  star(): number
  /** number of another ship in the same star system, by its id */
  ship(id: string, field: string): number
  /** id of a station there, as it is kept */
  station(id: string, field: string): string
  /** id of a station there, or of a row of a module that is on a rail */
  anchorage(id: string, field: string): string
  /** id of a jump gate there, as it is kept */
  jumpgate(id: string, field: string): string
}
