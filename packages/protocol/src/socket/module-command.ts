import * as v from 'valibot'
import { type ModuleCommandRequest, moduleCommandEntries, moduleName } from '../bodies/modules.ts'
import { type MessageId, messageId } from '../identifiers.ts'

/** What fields must be, for refusals; those that rules have, too, are there. */
export const MODULE_COMMAND_FIELDS: readonly (readonly [field: string, sentence: string])[] = [
  ['values', 'values must be an object of at most 32 numbers, texts, true, false or null'],
]

/** Gives the sender's ship a command of a module. */
export interface ModuleCommandMessage extends ModuleCommandRequest {
  readonly type: 'module_command'
  readonly id?: MessageId
  readonly module: string
}

/** Schema of a {@link ModuleCommandMessage}. */
export const moduleCommandMessage: v.GenericSchema<ModuleCommandMessage> = v.object({
  type: v.literal('module_command'),
  id: v.exactOptional(messageId),
  module: moduleName,
  ...moduleCommandEntries,
})
