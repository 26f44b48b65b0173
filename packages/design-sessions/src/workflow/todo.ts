/** A request, to be sent as it is once the fields it needs are in its body. */
export interface TodoRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** from the server's root, such as `/api/v1/versions/…` */
  readonly path: string
  readonly body?: object
  /** fields of the body that only people can say */
  readonly needs?: readonly string[]
}

/** Something to do, and the request that does it. */
export interface Todo {
  readonly what: string
  readonly request: TodoRequest
}

/** @param path  below the API's prefix */
export function todo(
  what: string,
  method: TodoRequest['method'],
  path: string,
  rest: Pick<TodoRequest, 'body' | 'needs'> = {},
): Todo {
  return { what, request: { method, path: `/api/v1${path}`, ...rest } }
}
