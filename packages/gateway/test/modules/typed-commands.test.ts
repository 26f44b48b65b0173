// Law: whoever has a module's declaration sends its commands with the types of their bodies.
import { createModulesClient } from '@orrery/client/flight'
import { type GameModule, defineModule, v } from '@orrery/module'
import { expectTypeOf, test } from 'vitest'

const pump = defineModule({
  id: 'pump',
  version: 1,
  commands: {
    fill: { body: v.object({ kg: v.positive() }), run: () => undefined },
    stop: { body: v.object({}), run: () => undefined },
  },
})

test('commands take what their schemas take, and no others are there', () => {
  const client = createModulesClient<{ pump: typeof pump }>({ url: 'http://[::1]', token: '' })
  type Command = typeof client.command
  expectTypeOf<ReturnType<() => typeof client.command<'pump', 'fill'>>>()
    .parameter(2)
    .toEqualTypeOf<{ kg: number } | undefined>()
  expectTypeOf<Command>().parameter(0).toEqualTypeOf<'pump'>()
  expectTypeOf<Command>().parameter(1).toEqualTypeOf<'fill' | 'stop'>()
  // A server takes it as any other.
  expectTypeOf(pump).toExtend<GameModule>()
})
