import { type Bus, type Subscription, subject } from '@orrery/bus'

/** Lets hosts look at once who owns a star system; it may not reach them. */
export function announceOwner(bus: Pick<Bus, 'publish'> | undefined, systemId: string): void {
  bus?.publish(subject('own', systemId), new Uint8Array())
}

/** Calls back when a star system has another owner, unless that is lost on its way. */
export function onOwnerNews(
  bus: Pick<Bus, 'subscribe'> | undefined,
  look: () => void,
): Subscription | undefined {
  return bus?.subscribe(subject('own', '*'), look)
}
