/** Whether a maneuver only turns the hull. */
export function isTurn(name: string): boolean {
  return name === 'attitude' || name === 'kill_rotation'
}
