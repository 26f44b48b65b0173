import type { Command } from 'commander'
import { number } from '../arguments.ts'
import { confirmed } from '../asking.ts'
import { works } from '../command.ts'
import { plain, table } from '../text.ts'

/** Stored worlds. */
export function addSnapshots(program: Command): void {
  const group = program.command('snapshot').description('stored worlds')
  works(
    group.command('create').description('store the world as it is now'),
    'snapshot create',
    async ({ admin }) => {
      const answer = await (await admin()).snapshots.create()
      return { answer, text: `Snapshot ${answer.snapshot_id}, tick ${answer.tick_number}.` }
    },
  )
  works<{ all?: boolean }>(
    group
      .command('list')
      .description('newest first')
      .option('--all', "the schedule's and those of clean stops, too"),
    'snapshot list --all',
    async ({ admin, options }) => {
      const include = options.all ? ({ include: 'automatic' } as const) : {}
      const answer = await (await admin()).snapshots.list(include)
      const rows = answer.snapshots.map(
        ({ id, tick_number, game_time, created_at, kind, replayable }) =>
          [id, tick_number, game_time, created_at].concat(
            kind ? [kind, replayable ? 'yes' : 'no'] : [],
          ),
      )
      const head = ['ID', 'TICK', 'GAME TIME', 'MADE'].concat(options.all ? ['BY', 'REPLAY'] : [])
      return { answer, text: table(head, rows, 'There are no snapshots.') }
    },
  )
  const id = ['<id>', 'number of a snapshot', number] as const
  works(
    group
      .command('show')
      .description('what its restore would undo')
      .argument(...id),
    'snapshot show 12',
    async ({ admin }, snapshotId) => {
      const answer = await (await admin()).snapshots.preview(Number(snapshotId))
      return { answer, text: preview(answer) }
    },
  )
  addRestore(group, id)
  addDeletion(group, id)
}

function addRestore(group: Command, id: readonly [string, string, typeof number]): void {
  works<{ yes?: boolean }>(
    group
      .command('restore')
      .description('go on from a stored world; accounts and settings stay')
      .argument(...id)
      .option('--yes', 'do not ask'),
    'snapshot restore 12 --yes',
    async ({ admin, options }, text) => {
      const { snapshots } = await admin()
      const snapshotId = Number(text)
      const stored = await snapshots.preview(snapshotId)
      if (!options.yes) process.stderr.write(`${preview(stored)}\n`)
      const question = `Restore snapshot ${snapshotId}? What came after it is lost.`
      await confirmed(question, options.yes)
      const answer = await snapshots.restore(snapshotId)
      return {
        answer,
        text: `Restored: tick ${answer.tick_number}, game time ${answer.game_time}.`,
      }
    },
  )
}

function addDeletion(group: Command, id: readonly [string, string, typeof number]): void {
  works<{ yes?: boolean }>(
    group
      .command('delete')
      .description('delete a stored world that no start and no replay begins with')
      .argument(...id)
      .option('--yes', 'do not ask'),
    'snapshot delete 12 --yes',
    async ({ admin, options }, text) => {
      const { snapshots } = await admin()
      const snapshotId = Number(text)
      if (!options.yes) {
        const { game_time, created_at } = await snapshots.preview(snapshotId)
        const when = `game time ${game_time}, made ${created_at}`
        await confirmed(`Delete snapshot ${snapshotId}, ${when}? Nothing restores it then.`, false)
      }
      await snapshots.remove(snapshotId)
      return { answer: { success: true }, text: `Snapshot ${snapshotId} is deleted.` }
    },
  )
}

type Preview = Awaited<ReturnType<import('@orrery/client').AdminClient['snapshots']['preview']>>

function preview({ id, game_time, undoes }: Preview): string {
  const named = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`  ${what}: ${names.map(plain).join(', ')}`]
  return [
    `A restore of snapshot ${id} (game time ${game_time}) undoes ${undoes.ticks} ticks, ` +
      `${Math.round(undoes.game_seconds)} s of game time:`,
    `  ships that return to where they were: ${undoes.ships}`,
    `  younger ships, which begin at their spawn orbit: ${undoes.ships_begin_again}`,
    ...named('stations that disappear', undoes.stations_gone),
    ...named('stations that return', undoes.stations_back),
    ...named('jump gates that disappear', undoes.jumpgates_gone),
    ...named('jump gates that return', undoes.jumpgates_back),
  ].join('\n')
}
