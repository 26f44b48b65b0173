import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }
export type JsonObject = Readonly<Record<string, Json>>

const PLACE = '#/components/schemas/'
const REFERENCE = new RegExp(`"${PLACE}(\\w+)"`, 'g')

// What JSON Schema cannot say (checks in code, normalising) is left out of the document.
const CONVERSION = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  overrideRef: ({ referenceId }) => `${PLACE}${referenceId}`,
} as const satisfies ConversionConfig

type TypeMode = 'input' | 'output'

/** Refers to a schema of the document's components. */
export function schemaReference(name: string): JsonObject {
  return { $ref: `${PLACE}${name}` }
}

/** Valibot schemas as JSON Schema, 2020-12 by default, those with a name by reference. */
export class NamedSchemas {
  readonly #definitions: Readonly<Record<string, v.GenericSchema>>
  readonly #conversion: ConversionConfig

  /**
   * @param definitions - by name; what is added later counts, too
   * @param overrides - another draft, and conversions of a service's own actions and schemas
   */
  constructor(
    definitions: Readonly<Record<string, v.GenericSchema>>,
    overrides: Pick<ConversionConfig, 'overrideAction' | 'overrideSchema' | 'target'> = {},
  ) {
    this.#definitions = definitions
    this.#conversion = { ...CONVERSION, ...overrides }
  }

  /** A reference to a named schema, or the schema itself. */
  inline(schema: v.GenericSchema, typeMode: TypeMode): JsonObject {
    const options = { ...this.#conversion, typeMode, definitions: this.#definitions }
    const { $schema: _, $defs: __, ...inline } = toJsonSchema(schema, options)
    return inline as JsonObject
  }

  /** The properties of an object, named or not. */
  properties(
    schema: v.GenericSchema,
    typeMode: TypeMode,
  ): [string, JsonObject, required: boolean][] {
    const options = { ...this.#conversion, typeMode }
    const { properties = {}, required = [] } = toJsonSchemaDefs({ schema }, options).schema
    return Object.entries(properties).map(([name, property]) => [
      name,
      property as JsonObject,
      required.includes(name),
    ])
  }

  /** The named schemas that a part of a document refers to, and those that they refer to. */
  used(document: object): JsonObject {
    const options = { ...this.#conversion, typeMode: 'output' } as const
    const all = toJsonSchemaDefs(this.#definitions, options)
    const used: Record<string, Json> = {}
    const collect = (part: object): void => {
      for (const [, name] of JSON.stringify(part).matchAll(REFERENCE)) {
        if (name in used || !(name in all)) continue
        used[name] = all[name] as JsonObject
        collect(used[name])
      }
    }
    collect(document)
    return Object.fromEntries(Object.entries(used).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}
