import type { OwnShipView } from '@orrery/engine/testing'

/** Days, hours, minutes and seconds of so many seconds. */
export function duration(seconds: number): string {
  const part = (size: number, of: number): string =>
    String(Math.floor(seconds / size) % of).padStart(2, '0')
  return `${Math.floor(seconds / 86_400)} d ${part(3600, 24)}:${part(60, 60)}:${part(1, 60)}`
}

/** A length in whole kilometres, with separators. */
export function kilometres(metres: number): string {
  return `${Math.round(metres / 1000).toLocaleString('en')} km`
}

/** A speed: in m/s below a kilometre per second. */
export function speedText(speed: number): string {
  return speed < 1000
    ? `${speed.toFixed(speed < 10 ? 1 : 0)} m/s`
    : `${(speed / 1000).toFixed(2)} km/s`
}

/** Where a ship is, how fast, and what it has left. */
export function whereabouts({
  orbit,
  referenceBody,
  relativeVelocity,
  deltaV,
}: OwnShipView): string {
  const speed = speedText(Math.hypot(...relativeVelocity))
  const place = `${kilometres(orbit.altitude)} above ${referenceBody}`
  return `${place} at ${speed}, ${Math.round(deltaV).toLocaleString('en')} m/s of Δv left`
}

/** Where a ship has come to: a dock, or the heights of an orbit. */
export function arrivalText({ dockedAt, orbit, referenceBody }: OwnShipView): string {
  if (dockedAt !== null) return `docked, ${kilometres(orbit.altitude)} above ${referenceBody}`
  const { periapsisAltitude: low, apoapsisAltitude: high } = orbit
  const rest = high === null ? 'and away' : `by ${kilometres(high)}`
  return `${kilometres(low)} ${rest} above ${referenceBody}`
}

/** What a leg has used of a ship's Δv, or has given it [m/s]. */
export function usedText(deltaV: number): string {
  const amount = Math.round(Math.abs(deltaV)).toLocaleString('en')
  return deltaV < 0 ? `fuel for ${amount} m/s more` : `${amount} m/s`
}
