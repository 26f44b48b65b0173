import { type Bus, type Subscription, subject } from '@orrery/bus'

/** Lets others look at once who owns a star system and takes its commands; it may not come. */
export function announceOwner(bus: Pick<Bus, 'publish'> | undefined, systemId: string): void {
  bus?.publish(subject('own', systemId), new Uint8Array())
}

/** Calls back when a star system has another owner, and when that takes commands. */
export function onOwnerNews(
  bus: Pick<Bus, 'subscribe'> | undefined,
  look: (systemId: string) => void,
): Subscription | undefined {
  return bus?.subscribe(subject('own', '*'), (_payload, of) => {
    look(decodeURIComponent(of.split('.').at(-1) ?? ''))
  })
}
