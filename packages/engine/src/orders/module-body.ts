import * as v from 'valibot'

/** What a command of a module is sent with; JSON. */
export type ModuleBody = Readonly<Record<string, string | number | boolean | null>>

/** What modules are given. */
export const moduleBody: v.GenericSchema<unknown, ModuleBody> = v.record(
  v.string(),
  v.nullable(v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()])),
)
