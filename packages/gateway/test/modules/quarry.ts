// A module whose rows any ship reaches.
import { type GameModule, defineModule, f64, refusal, row, v } from '@orrery/module'

export const quarry: GameModule = defineModule({
  id: 'quarry',
  version: 1,
  ship: { stone: f64('kg'), pit: row('pit'), note: f64('', { seenBy: 'operator' }) },
  tables: { pit: { rows: 4, onRail: true, columns: { stone: f64('kg') } } },
  mass: ({ stone }) => stone,
  begin({ add, hasBody }) {
    if (hasBody('Earth')) add('pit', { stone: 1e6 }, { around: 'Earth', radius: 7e6 })
  },
  events: { found: { text: 'A pit of {stone} kg.', body: v.object({ stone: v.number() }) } },
  commands: {
    dig: {
      summary: 'Dig at a pit, each second.',
      body: v.object({ pit: v.id() }),
      run(context, { pit }) {
        const { near, ship } = context
        const { distance } = near('pit', pit)
        if (distance > 1e8) throw refusal('too_far', { distance })
        ship.pit = pit
        context.emit('found', { stone: context.row('pit', pit).stone })
      },
    },
    drop: {
      body: v.object({ kg: v.positive() }),
      run(context, { kg }) {
        const { ship } = context
        if (kg > ship.stone) throw refusal('too_much', { has: ship.stone })
        context.row('pit', 1).stone += kg
        ship.stone -= kg
      },
    },
    survey: {
      perMinute: 2,
      body: v.object({ deep: v.optional(v.boolean()) }),
      run({ emit }) {
        emit('found', { stone: 0 })
      },
    },
    grant: {
      may: 'operator',
      body: v.object({ kg: v.positive() }),
      run({ ship }, { kg }) {
        ship.stone += kg
      },
    },
    spoil: {
      may: 'operator',
      body: v.object({}),
      run({ ship }) {
        ship.stone = 0
      },
    },
  },
  beat: {
    of: 'pit',
    run({ claim, ship }) {
      if (ship.pit === null) return
      claim('pit', ship.pit, 'stone', 2, (got) => {
        ship.stone += got
      })
    },
  },
  panel: {
    title: 'Quarry',
    fields: [
      { label: 'Stone', column: 'stone' },
      { label: 'Left', column: 'stone', of: 'pit' },
    ],
    buttons: [{ label: 'Dig', command: 'dig', inputs: { pit: { label: 'Pit', table: 'pit' } } }],
  },
})
