import type { LagrangePoint, Rail } from '@orrery/sim'

/** Something on rails. */
export interface Railed {
  /** of the shared table of rails */
  readonly row: number
  readonly rail: Rail
}

/** A row of a module. */
export interface NamedRow extends Railed {
  readonly name: string
}

/** A passive object on rails that ships may visit. */
export interface Station extends Railed {
  readonly stationId: string
  readonly name: string
}

/** A gate at a Lagrange point. */
export interface Jumpgate extends Railed {
  readonly jumpgateId: string
  readonly name: string
  /** id of a gate that was there before, in another system; each of the two leads to the other */
  readonly pairedWith?: string
  readonly rail: LagrangePoint
}
