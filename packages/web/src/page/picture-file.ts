/** The picture without instruments, as a file. */
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { nameOf } from '../readings/thing-names.ts'
import type { Stage } from '../view/stage.ts'

/** Hands the browser the picture as PNG; says why where there is none. */
export async function savePicture({ focus, notices, session }: Game, stage: Stage): Promise<void> {
  const drawn = await stage.picture()
  if (!drawn) {
    const text = say('There is no picture to save: this browser draws none.')
    notices.show({ subject: 'picture file', kind: 'warning', text })
    return
  }
  const thing = focus.peek()
  const name = thing ? nameOf(thing, session.peek()) : ''
  const link = document.createElement('a')
  link.href = URL.createObjectURL(drawn.png)
  link.download = fileName(name, drawn.gameTimeMs)
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Such as `Saturn 2026-11-29 01-30-04 UTC.png`; signs that file systems refuse are left out. */
export function fileName(name: string, gameTimeMs: number): string {
  const date = new Date(gameTimeMs)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ')
    .replaceAll(':', '-')
  const seen = name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim()
  return `${seen === '' ? 'Orrery' : seen} ${date} UTC.png`
}
