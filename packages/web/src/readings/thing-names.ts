import type { Session } from '../session/session.ts'
import type { Thing } from './thing.ts'

/** Name of a thing as the server has it; its kind when it is out of view. */
export function nameOf(thing: Thing, session: Session | undefined): string {
  if (thing.kind === 'body') return thing.name
  const { world } = session?.flight ?? {}
  const named =
    thing.kind === 'ship'
      ? world?.ship(thing.id)
      : world?.objects().find(({ id }) => id === thing.id)
  return named?.name ?? `a ${thing.kind === 'jumpgate' ? 'jump gate' : thing.kind}`
}

/** Such as `the Sun`. */
export function withArticle(name: string): string {
  return name === 'Sun' || name === 'Moon' ? `the ${name}` : name
}
