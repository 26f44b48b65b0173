import type * as v from 'valibot'

/** Method and path from the root of the server, such as `GET /api/status`. */
export type RequestLine = `${'GET' | 'POST' | 'PUT' | 'DELETE'} ${string}`

/** What server, clients and the API's document have in common of a route. */
export interface Route<Answer, Body extends object | undefined = undefined> {
  readonly request: RequestLine
  /** the token it needs */
  readonly access: 'anybody' | 'player' | 'admin'
  /** for the type alone: clients load no schema of what they send */
  readonly body?: Body
  /** of a success */
  readonly status: 200 | 201
  readonly answer: v.GenericSchema<Answer>
}
