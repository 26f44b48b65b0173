import { Refusal, asRefusal, refusal, requireTaker } from '@orrery/game'
import {
  type InvitationResponse,
  type AccountSettings,
  type MessageResponse,
  accountSettings,
  invitationRequest,
  newOwnShipRequest,
  ownClassRequest,
  ownPasswordRequest,
  predictionRequest,
} from '@orrery/protocol'
import { Hono } from 'hono'
import type { AppParts, ReadingParts } from '../app-parts.ts'
import { passwordChanged, signOutEverywhere } from './ended-tokens.ts'
import { serve } from '../documents/openapi.ts'
import { predictionResponse } from '../views/predictions.ts'
import { ACCOUNT_DELETED } from '../sockets/sockets.ts'
import { ownShips } from '../views/own-ships.ts'
import { ownShipState } from '../views/wire-views.ts'
import { callerOf, playerOf } from '../requests/caller.ts'
import { bodyValues } from '../requests/input.ts'

/** Routes of a player's own ship and account. */
export function playerRoutes(parts: AppParts): Hono {
  const routes = new Hono()
  routes.route('/', ownShipRoutes(parts))
  addYard(routes, parts)
  addShips(routes, parts)
  addInvitations(routes, parts)
  addSettings(routes, parts)
  addAccount(routes, parts)
  return routes
}

/** Routes that read a player's own ship. */
export function ownShipRoutes(parts: ReadingParts): Hono {
  const { engine } = parts
  const routes = new Hono()
  const ownShip = {
    summary: 'Read the own ship',
    description: "The state of the player's ship at this moment.",
    tag: 'player',
    errors: [[404, 'E006']],
  } as const
  serve(routes, 'readShip', ownShip, async (context) => {
    const caller = await callerOf(context, parts, 'player')
    if (caller === 'invalid') throw refusal('E005')
    // The ship is deleted with its account.
    if (caller === 'gone') throw refusal('E006')
    const view = await engine.ship(caller.account.shipId ?? '')
    if (!view) throw refusal('E006')
    return context.json(ownShipState(view))
  })
  addPrediction(routes, parts)
  return routes
}

function addPrediction(routes: Hono, parts: ReadingParts): void {
  const { engine, predictor } = parts
  const predicting = {
    summary: 'Predict the own trajectory',
    description:
      "The trajectory of the player's ship for the next hours, under its maneuver, its rules " +
      'and the given orders. Approaches to one target are marked.',
    tag: 'player',
    body: predictionRequest,
    errors: [
      [403, 'E003'],
      [404, 'E002'],
      [404, 'E006'],
      [429, 'E004'],
    ],
  } as const
  serve(routes, 'predict', predicting, async (context) => {
    const { account, address } = await playerOf(context, parts)
    const { shipId } = account
    const request = await bodyValues(context, predictionRequest)
    if (shipId === null) throw refusal('E006')
    try {
      const asking = { shipId, address }
      return context.json(await predictionResponse(request, asking, engine, predictor))
    } catch (error) {
      const refused = asRefusal(error)
      const isOfShip = refused instanceof Refusal && refused.code === 'E003'
      throw isOfShip ? refusal('E003', refused.message) : error
    }
  })
}

function addYard(routes: Hono, parts: AppParts): void {
  const { engine } = parts
  const rebuilding = {
    summary: 'Change the class of the own ship',
    description:
      'The ship that is docked becomes one of another class that is for its player, with what ' +
      'its tank holds.',
    tag: 'player',
    body: ownClassRequest,
    errors: [
      [403, 'E031'],
      [404, 'E006'],
      [409, 'E003'],
    ],
  } as const
  serve(routes, 'changeOwnClass', rebuilding, async (context) => {
    const { account, playerId: actor } = await playerOf(context, parts)
    const { ship_class: shipClass } = await bodyValues(context, ownClassRequest)
    const { isAdmin, shipId } = account
    if (shipId === null) throw refusal('E006')
    requireTaker({ engine, ...parts.ships }, shipClass, { isAdmin, isGiven: false })
    await engine.execute({ kind: 'alter_ship', shipId, shipClass, onlyDocked: true }, { actor })
    const view = await engine.ship(shipId)
    if (!view) throw refusal('E006')
    return context.json(ownShipState(view))
  })
}

function addShips(routes: Hono, parts: AppParts): void {
  const { accountChanges, sockets } = parts
  const listing = {
    summary: 'List the own ships',
    description: 'Those of the account, and how many it may have; modules may add values.',
    tag: 'player',
  } as const
  serve(routes, 'listOwnShips', listing, async (context) => {
    const { account } = await playerOf(context, parts)
    return context.json(ownShips(account, parts))
  })

  const making = {
    summary: 'Make one more ship',
    description:
      'A ship of the class `ship_class`, or else of `new_ships`, where new ships of the class ' +
      'begin. It coasts until it is flown.',
    tag: 'player',
    body: newOwnShipRequest,
    errors: [
      [403, 'E031'],
      [404, 'E006'],
      [409, 'E003'],
    ],
  } as const
  serve(routes, 'createOwnShip', making, async (context) => {
    const caller = await playerOf(context, parts)
    const { ship_class: shipClass } = await bodyValues(context, newOwnShipRequest)
    return context.json(ownShips(await accountChanges.addOwnShip(caller, shipClass), parts), 201)
  })

  const flying = {
    summary: 'Fly another of the own ships',
    description:
      "The player's socket gets `ship_assigned`, and commands go to this ship from then on. The " +
      'other flies on as without a connected pilot: its maneuver and rules go on. What modules ' +
      'keep of the account is with the ship that is flown.',
    tag: 'player',
    errors: [
      [404, 'E006'],
      [429, 'E004'],
    ],
  } as const
  serve(routes, 'flyOwnShip', flying, async (context) => {
    const caller = await playerOf(context, parts)
    const shipId = context.req.param('ship_id').toLowerCase()
    const account = await accountChanges.flyShip(caller, shipId)
    sockets.shipChanged(account.playerId)
    return context.json(ownShips(account, parts))
  })

  const givingUp = {
    summary: 'Give up one of the own ships',
    description: 'A ship that coasts is removed for good; the one that is flown stays.',
    tag: 'player',
    errors: [
      [404, 'E006'],
      [409, 'E003'],
    ],
  } as const
  serve(routes, 'giveUpShip', givingUp, async (context) => {
    const caller = await playerOf(context, parts)
    const shipId = context.req.param('ship_id').toLowerCase()
    const account = await accountChanges.giveUpShip(caller, shipId)
    // It may have become the one that is flown just now.
    sockets.shipChanged(account.playerId)
    return context.json(ownShips(account, parts))
  })
}

/** Of an invitation whose request has no other. */
const VALID_HOURS = 24

function addInvitations(routes: Hono, parts: AppParts): void {
  const { accountChanges } = parts
  const inviting = {
    summary: 'Invite somebody',
    description:
      "Ships of accounts that are registered with the invitation begin beside the player's. No " +
      'other answer has its code.',
    tag: 'player',
    body: invitationRequest,
    errors: [
      [403, 'E003'],
      [404, 'E006'],
      [409, 'E003'],
    ],
  } as const
  serve(routes, 'createInvitation', inviting, async (context) => {
    const caller = await playerOf(context, parts)
    const { registrations: uses, valid_hours: hours = VALID_HOURS } = await bodyValues(
      context,
      invitationRequest,
    )
    const { code, expiresAt } = await accountChanges.invite(caller, { uses, hours })
    const answer: InvitationResponse = {
      invitation: code,
      registrations: uses,
      expires_at: expiresAt.toISOString(),
    }
    return context.json(answer, 201)
  })

  const withdrawing = {
    summary: 'Withdraw the own invitations',
    description: 'Ends all invitations of the player.',
    tag: 'player',
  } as const
  serve(routes, 'withdrawInvitations', withdrawing, async (context) => {
    await accountChanges.withdrawInvitations(await playerOf(context, parts))
    return context.body(null, 204)
  })
}

function addSettings(routes: Hono, parts: AppParts): void {
  const { followConsents } = parts
  const reading = {
    summary: 'Read the own settings',
    description: 'What the player has chosen; at first no guest may see the ship.',
    tag: 'player',
  } as const
  serve(routes, 'readAccountSettings', reading, async (context) => {
    const { playerId } = await playerOf(context, parts)
    const answer: AccountSettings = { followable: await followConsents.isGiven(playerId) }
    return context.json(answer)
  })

  const changing = {
    summary: 'Change the own settings',
    description: 'With `followable`, guests may see and follow the ship, within two seconds.',
    tag: 'player',
    body: accountSettings,
  } as const
  serve(routes, 'changeAccountSettings', changing, async (context) => {
    const { playerId } = await playerOf(context, parts)
    const settings = await bodyValues(context, accountSettings)
    await followConsents[settings.followable ? 'give' : 'withdraw'](playerId)
    return context.json(settings)
  })
}

function addAccount(routes: Hono, parts: AppParts): void {
  const { accountChanges, ownPasswords, sockets } = parts
  const deleting = {
    summary: 'Delete the own account',
    description:
      "Deletes the player's account and ships at once. The last admin cannot be deleted.",
    tag: 'player',
    errors: [[400, 'E003']],
  } as const
  serve(routes, 'deleteAccount', deleting, async (context) => {
    const caller = await playerOf(context, parts)
    await accountChanges.removeOwn(caller)
    sockets.disconnect(caller.playerId, ACCOUNT_DELETED)
    return context.body(null, 204)
  })

  const changingPassword = {
    summary: 'Change the own password',
    description:
      'Needs the current password. All other tokens of the account end and their sockets are ' +
      'closed; the token of this request stays valid.',
    tag: 'player',
    body: ownPasswordRequest,
    errors: [
      [400, 'E012'],
      [429, 'E004'],
    ],
  } as const
  serve(routes, 'changePassword', changingPassword, async (context) => {
    const caller = await playerOf(context, parts)
    const { current_password: current, new_password: next } = await bodyValues(
      context,
      ownPasswordRequest,
    )
    await ownPasswords.checked(caller.playerId, () =>
      accountChanges.changeOwnPassword(caller, current, next),
    )
    passwordChanged(parts, caller.playerId, caller)
    const answer: MessageResponse = { message: 'The password is changed' }
    return context.json(answer)
  })

  const signingOut = {
    summary: 'Sign out everywhere',
    description:
      'Ends all tokens of the account, that of this request too, and closes its sockets.',
    tag: 'player',
  } as const
  serve(routes, 'endTokens', signingOut, async (context) => {
    const caller = await playerOf(context, parts)
    await signOutEverywhere(parts, caller)
    return context.body(null, 204)
  })
}
