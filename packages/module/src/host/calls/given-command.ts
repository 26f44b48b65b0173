import { EngineError } from '@orrery/engine'
import type { ModuleBody } from '@orrery/engine/modules'
import * as v from 'valibot'
import type { GameModule } from '../../define-module.ts'
import { keepable } from '../events/keepable.ts'

type Run = GameModule['commands'][string]['run']

/**
 * A command of a module, and what it is given.
 *
 * @throws {EngineError} 'ERR_MODULE_UNKNOWN', 'ERR_MODULE_BODY'
 */
export function givenCommand(
  { commands, id }: GameModule,
  name: string,
  given: ModuleBody,
): { readonly run: Run; readonly output: unknown } {
  if (!Object.hasOwn(commands, name)) {
    throw new EngineError('ERR_MODULE_UNKNOWN', `Module ${id} has no command ${name}.`)
  }
  const { body, run } = commands[name]
  const parsed = v.safeParse(body, keepable(given, `${id} ${name}`), { abortEarly: true })
  if (parsed.success) return { run, output: parsed.output }
  const [issue] = parsed.issues
  const place = v.getDotPath(issue) ?? 'the body'
  throw new EngineError('ERR_MODULE_BODY', `${id} ${name}: ${place}: ${issue.message}`)
}
