import { LANGUAGE } from '../languages/language.ts'
import { say, sayName } from '../languages/say.ts'
import type { Session } from '../session/session.ts'
import type { Thing } from './thing.ts'

const KINDS = {
  ship: say('a ship'),
  station: say('a station'),
  jumpgate: say('a jump gate'),
}

/** Name of a thing; its kind when it is out of view. */
export function nameOf(thing: Thing, session: Session | undefined): string {
  if (thing.kind === 'body') return sayName(thing.name)
  const { world } = session?.flight ?? {}
  const named =
    thing.kind === 'ship'
      ? world?.ship(thing.id)
      : [...(world?.objects() ?? []), ...(world?.rows() ?? [])].find(({ id }) => id === thing.id)
  return named?.name ?? KINDS[thing.kind]
}

/** Such as `the Sun`; languages that decline articles do without. */
export function withArticle(name: string): string {
  const hasArticle = LANGUAGE === 'en' && (name === 'Sun' || name === 'Moon')
  return hasArticle ? `the ${name}` : sayName(name)
}
