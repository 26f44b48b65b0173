import type { PlayerSocket } from '../connection/player-socket.ts'

/** Observer sockets of one admin at once. */
const OBSERVERS_PER_ADMIN_MAX = 8

/** One socket per player, and up to eight observers per admin. */
export interface ConnectedClients {
  /** Returns the socket that was replaced, if there was one. */
  add(player: PlayerSocket): PlayerSocket | undefined
  /** false when it was removed before */
  remove(player: PlayerSocket): boolean
  changeShip(player: PlayerSocket, shipId: string): void
  all(): Iterable<PlayerSocket>
  /** accounts of connected observers */
  observers(): Set<string>
  player(accountId: string): PlayerSocket | undefined
  pilot(shipId: string): PlayerSocket | undefined
  /** ships of connected players */
  pilots(): Iterable<string>
  playerCount(): number
  observerCount(): number
}

export function createConnectedClients(): ConnectedClients {
  const all = new Set<PlayerSocket>()
  const players = new Map<string, PlayerSocket>()
  const pilots = new Map<string, PlayerSocket>()
  const indexShip = (player: PlayerSocket): void => {
    if (player.shipId !== '') pilots.set(player.shipId, player)
  }
  const dropShip = (player: PlayerSocket): void => {
    if (pilots.get(player.shipId) === player) pilots.delete(player.shipId)
  }
  /** The oldest socket of an admin with too many. */
  const surplusObserver = (accountId: string): PlayerSocket | undefined => {
    const own = [...all].filter((it) => it.isObserver && it.accountId === accountId)
    return own.length < OBSERVERS_PER_ADMIN_MAX ? undefined : own[0]
  }
  return {
    add: (player) => {
      const { accountId, isObserver } = player
      const replaced = isObserver ? surplusObserver(accountId) : players.get(accountId)
      all.add(player)
      if (!isObserver) players.set(accountId, player)
      indexShip(player)
      return replaced
    },
    remove: (player) => {
      if (!all.delete(player)) return false
      dropShip(player)
      if (players.get(player.accountId) === player) players.delete(player.accountId)
      return true
    },
    changeShip: (player, shipId) => {
      dropShip(player)
      player.changeShip(shipId)
      indexShip(player)
    },
    all: () => all,
    observers: () =>
      new Set([...all].filter((it) => it.isObserver).map(({ accountId }) => accountId)),
    player: (accountId) => players.get(accountId),
    pilot: (shipId) => pilots.get(shipId),
    pilots: () => pilots.keys(),
    playerCount: () => players.size,
    observerCount: () => all.size - players.size,
  }
}
