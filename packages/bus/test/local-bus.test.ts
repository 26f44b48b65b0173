import { createLocalBus } from '@orrery/bus'
import { busLaws } from './bus-laws.ts'

busLaws(() => {
  const bus = createLocalBus()
  return Promise.resolve({ one: bus, other: bus })
})
