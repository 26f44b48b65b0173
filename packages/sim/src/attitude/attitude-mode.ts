/** How a hull turns, as kept in `attitudeMode`. */
export const LOCKED = 0
export const TURNING = 1
export const FREE = 2
