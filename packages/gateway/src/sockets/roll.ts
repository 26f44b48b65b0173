import type { PlayerSocket } from './player-socket.ts'

/** Sockets that one admin can look through at once. */
const OBSERVERS_PER_ADMIN_MAX = 8

/** Who is connected: one socket per player, and some per admin who looks on. */
export interface Roll {
  /** Returns the socket whose place was taken, if there was one. */
  enter(player: PlayerSocket): PlayerSocket | undefined
  /** false when it had left already */
  leave(player: PlayerSocket): boolean
  changeShip(player: PlayerSocket, shipId: string): void
  everybody(): Iterable<PlayerSocket>
  /** accounts of admins who look on */
  observers(): Set<string>
  player(accountId: string): PlayerSocket | undefined
  pilot(shipId: string): PlayerSocket | undefined
  playerCount(): number
  observerCount(): number
}

export function createRoll(): Roll {
  const everybody = new Set<PlayerSocket>()
  const players = new Map<string, PlayerSocket>()
  const pilots = new Map<string, PlayerSocket>()
  const board = (player: PlayerSocket): void => {
    if (player.shipId !== '') pilots.set(player.shipId, player)
  }
  const goAshore = (player: PlayerSocket): void => {
    if (pilots.get(player.shipId) === player) pilots.delete(player.shipId)
  }
  /** An admin's oldest socket when he has too many. */
  const oneTooMany = (accountId: string): PlayerSocket | undefined => {
    const own = [...everybody].filter((it) => it.isObserver && it.accountId === accountId)
    return own.length < OBSERVERS_PER_ADMIN_MAX ? undefined : own[0]
  }
  return {
    enter: (player) => {
      const { accountId, isObserver } = player
      const replaced = isObserver ? oneTooMany(accountId) : players.get(accountId)
      everybody.add(player)
      if (!isObserver) players.set(accountId, player)
      board(player)
      return replaced
    },
    leave: (player) => {
      if (!everybody.delete(player)) return false
      goAshore(player)
      if (players.get(player.accountId) === player) players.delete(player.accountId)
      return true
    },
    changeShip: (player, shipId) => {
      goAshore(player)
      player.changeShip(shipId)
      board(player)
    },
    everybody: () => everybody,
    observers: () =>
      new Set([...everybody].filter((it) => it.isObserver).map(({ accountId }) => accountId)),
    player: (accountId) => players.get(accountId),
    pilot: (shipId) => pilots.get(shipId),
    playerCount: () => players.size,
    observerCount: () => everybody.size - players.size,
  }
}
