/** Calls of a module at full seconds, and the wall time of all and of the longest [s]. */
export interface CallCost {
  calls: number
  seconds: number
  worst: number
  breaks: number
}
