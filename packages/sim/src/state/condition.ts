/** What a slot holds, as kept in `condition`. */
export const EMPTY = 0
export const FLYING = 1
/** a ship whose numbers broke: it keeps its last good state, and the others go on */
export const FROZEN = 2
