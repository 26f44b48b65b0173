import * as v from 'valibot'

/** Beside the token: the parameter of the path, by name, the query and the body. */
export interface RequestParts {
  readonly path?: string
  readonly query?: object
  readonly body?: object
}

type PathOf<Parts extends RequestParts> = Parts extends { readonly path: infer Name extends string }
  ? Name
  : never

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Method and path from the root of the server, such as `GET /api/admin/players/:player_id`. */
export type RequestLine<Name extends string = never> = [Name] extends [never]
  ? `${Method} ${string}`
  : `${Method} ${string}/:${Name}${string}`

/**
 * Checks an answer. Schemas of valibot do so by the standard of such libraries, by which a client's
 * declarations need none of their types.
 *
 * @source https://standardschema.dev
 */
export interface AnswerSchema<Answer> {
  readonly '~standard': {
    validate(value: unknown): CheckedAnswer<Answer> | Promise<CheckedAnswer<Answer>>
  }
}

type CheckedAnswer<Answer> =
  | { readonly value: Answer; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string
        readonly path?: readonly unknown[] | undefined
      }[]
    }

/** What server, clients and the API's document have in common of a route. */
export interface Route<Answer, Parts extends RequestParts = object> {
  readonly request: RequestLine<PathOf<Parts>>
  /** the token it needs */
  readonly access: 'anybody' | 'player' | 'admin' | 'service'
  /** for the type alone: clients load no schema of what they send */
  readonly parts?: Parts
  /** of a success */
  readonly status: 200 | 201 | 204
  readonly answer: AnswerSchema<Answer>
  /** of an answer that is not JSON */
  readonly form?: 'text' | 'bytes'
}

/** All that a request carries beside its token, in one object. */
export type RequestFields<Parts extends RequestParts> = Readonly<
  Record<PathOf<Parts>, string | number>
> &
  (Parts extends { readonly query: infer Query } ? Query : unknown) &
  (Parts extends { readonly body: infer Body } ? Body : unknown)

/** The answer of a route with status 204. */
export const nothing: v.GenericSchema<void> = v.void()
