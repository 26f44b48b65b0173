import type { Engine } from '@orrery/engine'
import {
  type ApiContent,
  type ApiDocument,
  type ApiOperation,
  type JsonObject,
  NamedSchemas,
  schemaReference,
} from '@orrery/http'
import { FIELD_WORDS } from '@orrery/protocol'
import * as v from 'valibot'
import { exampleOf } from './example-bodies.ts'

/** The modules of a world. */
export type LoadedModules = NonNullable<Engine['universe']['worlds'][0]['modules']>['added']

/** What a client sends for a command, beside the module. */
interface CommandBody {
  readonly module: string
  readonly name: string
  readonly may: 'pilot' | 'operator'
  /** from `command` on, as a JSON schema */
  readonly schema: JsonObject
  /** the same for an example; undefined where none is known that the module takes */
  readonly example: JsonObject | undefined
}

/** A document of the modules that are there, made at the first request and when others are. */
export function documentOf(
  engine: Pick<Engine, 'universe'>,
  make: (modules: LoadedModules) => object,
): () => string {
  let made: { readonly names: string; readonly text: string } | undefined
  return () => {
    const modules = engine.universe.worlds[0].modules?.added ?? []
    const names = modules.map(({ id, version }) => `${id} ${version}`).join()
    if (made?.names !== names) made = { names, text: JSON.stringify(make(modules)) }
    return made.text
  }
}

/** Their commands; `target` as of {@link NamedSchemas}. */
function commandBodies(modules: LoadedModules, target?: 'draft-07'): readonly CommandBody[] {
  const schemas = new NamedSchemas({}, target && { target })
  return modules.flatMap(({ id: module, commands }) =>
    commands.map(({ body, may, name, perMinute, summary }) => {
      const known = schemas.inline(body, 'input')
      // One that refers to itself would need names of its own.
      const inline = JSON.stringify(known).includes('"$ref"') ? { type: 'object' } : known
      const values = exampleOf(inline, {})
      const words = [
        summary,
        may === 'operator' ? 'Only operators may give it.' : '',
        perMinute === undefined ? '' : `A pilot may give it ${perMinute} times a minute.`,
      ].filter((sentence) => sentence !== '')
      return {
        module,
        name,
        may,
        schema: {
          title: `${module} ${name}`,
          ...(words.length > 0 && { description: words.join(' ') }),
          type: 'object',
          properties: {
            command: constant('command', name),
            values: { description: FIELD_WORDS['values'], ...inline },
          },
          required: v.is(body, {}) ? ['command'] : ['command', 'values'],
        },
        example: v.is(body, values) ? { command: name, values } : undefined,
      }
    }),
  )
}

function constant(field: string, value: string): JsonObject {
  return { description: FIELD_WORDS[field], type: 'string', const: value }
}

/**
 * The API's document with the body of each command: pilots post those of a module to its own path,
 * and what operators post to a ship names the module, too. Fields of modules have the words of
 * their authors, so that this comes after the glossary.
 */
export function withModuleCommands(document: ApiDocument, modules: LoadedModules): ApiDocument {
  const commands = commandBodies(modules)
  if (commands.length === 0) return document
  const { components } = document
  const { ModuleCommandRequest: _, ServiceModuleRequest: __, ...general } = components.schemas
  const named = commands.map(({ module, name, schema }) => [`${module}.${name}`, schema] as const)
  const schemas = { ...general, ...Object.fromEntries(named) }
  const paths = Object.entries(document.paths).flatMap(([path, { post, ...others }]) => {
    switch (post?.operationId) {
      case 'commandModule':
        return pilotPaths(path, post, commands)
      case 'commandModuleForShip':
      case 'commandShipModule':
        return [[path, { ...others, post: withBody(post, operatorContent(commands)) }] as const]
      default:
        return [[path, document.paths[path]] as const]
    }
  })
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...components, schemas },
  }
}

/** In place of the general path: two that fit the same request would be ambiguous. */
function pilotPaths(
  path: string,
  operation: ApiOperation,
  commands: readonly CommandBody[],
): (readonly [path: string, item: { readonly post: ApiOperation }])[] {
  const { parameters: _, ...general } = operation
  const allowed = commands.filter(({ may }) => may === 'pilot')
  return Array.from(
    Map.groupBy(allowed, ({ module }) => module),
    ([module, own]) => {
      const references = own.map(
        ({ name }) => [name, schemaReference(`${module}.${name}`)] as const,
      )
      const mapping = Object.fromEntries(references.map(([name, { $ref }]) => [name, $ref]))
      const schema = {
        oneOf: references.map(([, reference]) => reference),
        discriminator: { propertyName: 'command', mapping },
      }
      const operation = {
        ...general,
        operationId: `${general.operationId}_${module}`,
        summary: `Command the module ${module}`,
      }
      const content = contentOf(schema, own.find(({ example }) => example)?.example)
      return [path.replace('{module}', module), { post: withBody(operation, content) }] as const
    },
  )
}

function operatorContent(commands: readonly CommandBody[]): ApiContent {
  const oneOf = commands.map(({ module, name }) => {
    const properties = { module: constant('module', module) }
    const named = { type: 'object', properties, required: ['module'] }
    return { allOf: [named, schemaReference(`${module}.${name}`)] }
  })
  const shown = commands.find(({ example }) => example)
  return contentOf({ oneOf }, shown && { module: shown.module, ...shown.example })
}

function contentOf(schema: JsonObject, example: JsonObject | undefined): ApiContent {
  return { 'application/json': { schema, ...(example && { example }) } }
}

function withBody(operation: ApiOperation, content: ApiContent): ApiOperation {
  return { ...operation, requestBody: { required: true, content } }
}

/**
 * Messages with one for each command of pilots in place of the general one, likewise after the
 * glossary.
 */
export function withCommandMessages(
  messages: Readonly<Record<string, JsonObject>>,
  modules: LoadedModules,
): typeof messages {
  const commands = commandBodies(modules, 'draft-07').filter(({ may }) => may === 'pilot')
  if (commands.length === 0) return messages
  const { module_command: general, ...others } = messages
  const { type, id } = Object(general['payload']).properties
  const own = commands.map(({ example, module, name, schema }) => {
    const { title, description, properties, required, ...rest } = schema
    const payload = {
      ...rest,
      properties: { type, id, module: constant('module', module), ...Object(properties) },
      required: ['type', 'module', ...(required as readonly string[])],
    }
    const examples = [{ payload: { type: 'module_command', module, ...example } }]
    const words = { title, ...(description !== undefined && { summary: description }) }
    const message = { ...general, ...words, payload, examples }
    return [`module_command.${module}.${name}`, message] as const
  })
  return { ...others, ...Object.fromEntries(own) }
}
