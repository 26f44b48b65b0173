import type postgres from 'postgres'

/** A parameter of JSON; interfaces lack the index signature that a JSON value has. */
export function json(sql: postgres.ISql, value: object): postgres.Parameter {
  return sql.json(value as postgres.JSONValue)
}
