// Goal: the document has of every route its description and schemas, with the service's own
// schemes for tokens and errors; a route without a description is named, not left out.
// Method: the routes of a made-up service, its document read whole.
import { Hono } from 'hono'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  ApiDescription,
  NamedSchemas,
  type RouteDescription,
  type RouteError,
  schemaReference,
} from '../src/index.ts'

interface Operation extends RouteDescription {
  readonly open?: boolean
  readonly errors?: readonly RouteError<string>[]
}

const DATE = { type: 'string', format: 'date' } as const
const INFO = { title: 'Trees', version: '1', description: 'All of them.' }
const SHORT = { id: 'x', summary: '', description: '', tag: '' }
const leaf = v.object({ name: v.pipe(v.string(), v.maxLength(9)), grown: v.optional(v.date()) })
const tree = v.object({ leaves: v.array(leaf) })
const count = v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1))

function trees(queryMode: 'input' | 'output'): ApiDescription<Operation, string> {
  return new ApiDescription<Operation, string>({
    info: INFO,
    tags: { trees: 'What grows.' },
    schemas: new NamedSchemas(
      { Tree: tree, Leaf: leaf, Unused: v.object({}) },
      { overrideSchema: ({ valibotSchema: { type } }) => (type === 'date' ? DATE : undefined) },
    ),
    errorSchemas: { Error: { type: 'object' } },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    security: ({ open }) => (open ? [] : [{ token: [] }]),
    queryMode,
    pathSchema: (name) => ({ type: 'string', title: name }),
    errors: ({ errors = [] }, template) => [...errors, [500, `in ${template}`]],
    errorAnswer: (reasons, status) => ({
      description: `${status}: ${reasons.join('; ')}`,
      schema: schemaReference('Error'),
    }),
  })
}

const json = (schema: object): object => ({ 'application/json': { schema } })
const failure = (description: string): object => ({
  description,
  content: json({ $ref: '#/components/schemas/Error' }),
})

test.each([
  ['input', { type: 'string' }],
  ['output', { type: 'integer', minimum: 1 }],
] as const)('a route is documented as described, its query as of %s', async (mode, countSchema) => {
  const api = trees(mode)
  const description: Operation = {
    id: 'readTree',
    summary: 'One tree',
    description: 'A tree with its leaves.',
    tag: 'trees',
    query: v.object({ count, depth: v.optional(v.string()) }),
    success: { status: 200, schema: tree },
    errors: [
      [404, 'felled'],
      [404, 'never grew'],
      [404, 'felled'],
    ],
  }
  const app = new Hono().use((_, next) => next())
  const routes = new Hono().get('/:id{[0-9]+}', api.operation(description), (context) =>
    context.text(`tree ${context.req.param('id')}`),
  )
  app.route('/trees', routes)
  const operation = {
    operationId: 'readTree',
    summary: 'One tree',
    description: 'A tree with its leaves.',
    tags: ['trees'],
    security: [{ token: [] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', title: 'id' } },
      { name: 'count', in: 'query', required: true, schema: countSchema },
      { name: 'depth', in: 'query', required: false, schema: { type: 'string' } },
    ],
    responses: {
      200: { description: 'Success', content: json({ $ref: '#/components/schemas/Tree' }) },
      404: failure('404: felled; never grew'),
      500: failure('500: in /trees/{id}'),
    },
  }
  const leaves = { type: 'array', items: { $ref: '#/components/schemas/Leaf' } }
  expect(api.document(app)).toEqual({
    openapi: '3.1.0',
    info: {
      ...INFO,
      contact: { name: 'The operators of this server' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-rights-reserved' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [{ name: 'trees', description: 'What grows.' }],
    paths: { '/trees/{id}': { get: operation } },
    components: {
      schemas: {
        Leaf: {
          type: 'object',
          properties: { name: { type: 'string', maxLength: 9 }, grown: DATE },
          required: ['name'],
        },
        Tree: { type: 'object', properties: { leaves }, required: ['leaves'] },
        Error: { type: 'object' },
      },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  })
  expect(await (await app.request('/trees/7')).text()).toBe('tree 7')
})

test('bodies, files and answers that are not JSON are documented as such', () => {
  const api = trees('input')
  const app = new Hono()
  const base = { ...SHORT, tag: 'trees', open: true, success: { status: 204 } } as const
  app.put('/', api.operation({ ...base, id: 'put', body: tree }))
  app.patch('/', api.operation({ ...base, id: 'patch', body: v.object({}), bodyOptional: true }))
  app.post('/', api.operation({ ...base, id: 'post', file: 'photo' }))
  app.get('/', api.operation({ ...base, id: 'get', success: { status: 200, type: 'image/png' } }))
  const either = { ...base, success: { status: 200, schema: leaf, type: ['a/b', 'c/d'] } } as const
  app.delete('/', api.operation({ ...either, id: 'delete', bytes: 'text/plain' }))
  const photo = { type: 'string', contentMediaType: 'application/octet-stream' }
  const form = { type: 'object', required: ['photo'], properties: { photo } }
  const planted = {
    summary: '',
    description: '',
    tags: ['trees'],
    security: [],
    responses: { 204: { description: 'Success' }, 500: failure('500: in /') },
  }
  expect(api.document(app)['paths']).toEqual({
    '/': {
      put: {
        ...planted,
        operationId: 'put',
        requestBody: { required: true, content: json({ $ref: '#/components/schemas/Tree' }) },
      },
      patch: {
        ...planted,
        operationId: 'patch',
        requestBody: {
          required: false,
          content: json({ type: 'object', properties: {}, required: [] }),
        },
      },
      post: {
        ...planted,
        operationId: 'post',
        requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } },
      },
      get: {
        ...planted,
        operationId: 'get',
        responses: {
          200: { description: 'Success', content: { 'image/png': {} } },
          500: failure('500: in /'),
        },
      },
      delete: {
        ...planted,
        operationId: 'delete',
        requestBody: { required: true, content: { 'text/plain': {} } },
        responses: {
          200: {
            description: 'Success',
            content: { ...json({ $ref: '#/components/schemas/Leaf' }), 'a/b': {}, 'c/d': {} },
          },
          500: failure('500: in /'),
        },
      },
    },
  })
})

test('a single path parameter is listed, and no parameter is no list', () => {
  const api = trees('input')
  const app = new Hono()
  const description = { ...SHORT, success: { status: 204 } } as const
  app.get('/trees', api.operation(description))
  app.get('/trees/:id', api.operation({ ...description }))
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', title: 'id' } }
  const { paths } = api.document(app)
  expect(paths['/trees/{id}'].get).toMatchObject({ parameters: [id] })
  expect(paths['/trees'].get).not.toHaveProperty('parameters')
})

test('a route that is not described is named', () => {
  const api = trees('input')
  const app = new Hono()
  app.get('/trees', api.operation({ ...SHORT, success: { status: 204 } }))
  app.delete('/trees/:id', (context) => context.body(null, 204))
  expect(() => api.document(app)).toThrow('DELETE /trees/:id is not described.')
})
