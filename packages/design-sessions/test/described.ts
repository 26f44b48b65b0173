// Checks every answer against the service's own description.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Answer, type Json, type Place, ask } from './ask.ts'

type Check = NonNullable<Place['check']>

/** By address: files share services, and to compile schemas takes long. */
const checks = new Map<string, Promise<Check>>()

/** A place whose every answer must match its description. */
export async function described(place: Place): Promise<Place> {
  const check = checks.get(place.url) ?? checkOf(place)
  checks.set(place.url, check)
  return { ...place, check: await check }
}

async function checkOf(place: Place): Promise<Check> {
  const { body: document } = await ask(place, 'GET', 'openapi.json')
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const routes = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // The most literal one counts: `coverage/summary` is no item.
  const templateOf = (path: string): string | undefined =>
    routes
      .filter(({ pattern }) => pattern.test(path))
      .toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)[0]?.template
  const validators = new Map<string, ValidateFunction>()
  // Most answers have one of a few schemas, each of which takes long to compile.
  const validator = (schema: Json, $ref: string): ValidateFunction => {
    const key = JSON.stringify(schema)
    const validate = validators.get(key) ?? ajv.compile({ $ref })
    validators.set(key, validate)
    return validate
  }
  return (method: string, path: string, { status, headers, body, text }: Answer): void => {
    const template = templateOf(path)
    const operation: Json = template && document.paths[template][method.toLowerCase()]
    if (operation === undefined) return
    const what = `${method} ${template}: ${status} ${text.slice(0, 300)}`
    const response = operation.responses[status]
    if (response === undefined) throw new Error(`Not described: ${what}`)
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    const types = Object.keys(response.content ?? {})
    if (text !== '' && !types.includes(type) && !types.includes('*/*')) {
      throw new Error(`Described as ${types.join()}, not ${type}: ${what}`)
    }
    const schema: Json = response.content?.[type]?.schema
    if (body === undefined || schema === undefined) return
    const parts = ['paths', template, method.toLowerCase(), 'responses', String(status)]
    const pointer = [...parts, 'content', 'application/json', 'schema'].map((part) =>
      encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const validate = validator(schema, `api#/${pointer.join('/')}`)
    if (!validate(body))
      throw new Error(`Otherwise than described: ${ajv.errorsText(validate.errors)} ${what}`)
  }
}
