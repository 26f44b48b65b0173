import type { Database } from '@orrery/database'

/** The same handle, whose statements take every claim and sequence for the right one. */
export function withoutFence(sql: Database['sql']): Database['sql'] {
  const blind = (text: string): string =>
    text
      .replaceAll(/using \(system, fence, claim(?:, sequence)?\)/gu, 'using (system)')
      .replaceAll('where owner.sequence = previous', '')
  return new Proxy(sql, {
    apply: (target, _, [first, ...values]) => {
      if (!Object.hasOwn(Object(first), 'raw'))
        return Reflect.apply(target, undefined, [first, ...values])
      const texts = (first as string[]).map(blind)
      return Reflect.apply(target, undefined, [Object.assign(texts, { raw: texts }), ...values])
    },
    get: (target, name) => {
      if (name !== 'begin') return Reflect.get(target, name)
      return (work: (transaction: Database['sql']) => unknown) =>
        target.begin((transaction) => work(withoutFence(transaction as unknown as Database['sql'])))
    },
  })
}
