import { type Bus, type Subscription, subject } from '@orrery/bus'

/** A star system is another's, or its owner takes commands. */
export type OwnerNews = 'given' | 'answered'

/** Lets others know who owns a star system, so that they look at once; it may not reach them. */
export function announceOwner(
  bus: Pick<Bus, 'publish'> | undefined,
  systemId: string,
  news: OwnerNews = 'given',
): void {
  bus?.publish(subject('own', systemId), Buffer.from(news))
}

/** Calls back with news of a star system, unless they are lost on their way. */
export function onOwnerNews(
  bus: Pick<Bus, 'subscribe'> | undefined,
  take: (systemId: string, news: OwnerNews) => void,
): Subscription | undefined {
  return bus?.subscribe(subject('own', '*'), (payload, of) => {
    const isAnswered = Buffer.from(payload).toString() === 'answered'
    take(decodeURIComponent(of.split('.').at(-1) ?? ''), isAnswered ? 'answered' : 'given')
  })
}
