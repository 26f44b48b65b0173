/**
 * Longest time of what is to succeed: processes that render and index have a low priority, and get
 * little of a busy machine.
 */
export const PATIENCE_MS = 600_000
