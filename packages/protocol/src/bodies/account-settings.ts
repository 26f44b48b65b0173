import * as v from 'valibot'

/** What a player has chosen for the account: whether guests may see and follow its ship. */
export interface AccountSettings {
  readonly followable: boolean
}

/** Schema of {@link AccountSettings}, as a body and as an answer. */
export const accountSettings: v.GenericSchema<AccountSettings> = v.object({
  followable: v.boolean('followable must be true or false'),
})
