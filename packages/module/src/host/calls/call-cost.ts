/** Calls of a module at full seconds, and the wall time that they took [s]. */
export interface CallCost {
  calls: number
  seconds: number
  breaks: number
}
