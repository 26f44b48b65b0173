const SCHEMAS = new WeakSet<object>()

/** Marks the schema of an id of a row. */
export function rowId<Schema extends object>(schema: Schema): Schema {
  SCHEMAS.add(schema)
  return schema
}

/** Whether a schema is of such an id, also of one that may be left out. */
export function isRowId(schema: object): boolean {
  if (SCHEMAS.has(schema)) return true
  return 'wrapped' in schema && isRowId(Object(schema.wrapped) as object)
}
