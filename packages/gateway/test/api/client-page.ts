// What runs inside a browser: a player's whole way, from another origin than the server's.
import { connectSocket, createGameClient } from '@orrery/client'

/** What a player has seen. */
export interface PlayerDay {
  readonly ticks: number
  readonly name: string | undefined
  readonly roundTripMs: number | undefined
  readonly gameTimeMs: number | undefined
  /** code of a refused login */
  readonly refusal: unknown
}

export async function playerDay(
  url: string,
  username: string,
  password: string,
): Promise<PlayerDay> {
  const game = createGameClient({ url })
  await game.register(username, password)
  const refusal: unknown = await game.login(username, 'not the password').catch(({ code }) => code)
  const { token, ship_id: shipId } = await game.login(username, password)
  const socket = connectSocket({ url, token })
  try {
    let ticks = 0
    let name: string | undefined
    const seen = new Promise<void>((resolve) => {
      socket.on('tick', ({ ships }) => {
        name = ships.find(({ ship_id: id }) => id === shipId)?.name
        if (++ticks >= 2 && name === 'Ida of Tharsis') resolve()
      })
    })
    await socket.opened
    await socket.rename('Ida of Tharsis')
    await seen
    const { roundTripMs } = socket
    return { ticks, name, roundTripMs, gameTimeMs: socket.gameTimeNow(), refusal }
  } finally {
    socket.close()
  }
}
