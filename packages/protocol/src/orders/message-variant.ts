import * as v from 'valibot'

/**
 * Schema of one of several messages, by their `type`: what is wrong in one is named by its field.
 *
 * @param options  schemas of objects with a literal `type`
 * @param message  what it must be, when its type is none of them
 */
export function messageVariant<Message>(
  options: readonly v.GenericSchema<Message>[],
  message: string,
): v.GenericSchema<Message> {
  // A schema of an object is one with a check behind it, too; the types hide that.
  const objects = options as unknown as v.VariantOptions<'type'>
  return v.variant('type', objects, message) as unknown as v.GenericSchema<Message>
}
