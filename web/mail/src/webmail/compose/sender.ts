import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { ProblemError } from '@stoa/ui/request/problem.ts'
import { sendMailbox } from '../api.ts'
import { mailIdentitiesQuery } from '../queries.ts'
import type { ComposeSession } from './saving/session.ts'
import { amendLetter, updateWindow, windowOf } from './windows.ts'

/**
 * Whether the identity that a message was to go from is gone. Then it goes on with the default one, and From says so:
 * nothing is sent in another name before somebody saw it.
 */
export const replaceLostSender = async (id: string, { client, mailbox }: ComposeSession): Promise<boolean> => {
  const wanted = windowOf(id)?.letter.identityId ?? null
  if (wanted === null) return false
  const { data: identities } = await client.fetchQuery({ ...mailIdentitiesQuery, staleTime: 0 })
  if (identities.some((identity) => identity.id === wanted)) return false
  // Asked after the identities: another tab may have signed in to another mailbox, and nothing of this one goes there
  const { id: signedInTo } = await sendMailbox<Mailbox>('GET', '/api/mail/me')
  if (signedInTo !== mailbox.id)
    throw new ProblemError("You're signed in to another mailbox. Your message is saved in this browser.")
  const next = identities.find(({ is_default: isDefault }) => isDefault) ?? identities[0]
  const one = windowOf(id)
  if (!next || !one) return false
  amendLetter(id, () => ({ identityId: next.id }))
  updateWindow(id, {
    fieldProblems: {
      ...one.fieldProblems,
      from: `The selected sender no longer exists. Sending from ${next.email} instead.`,
    },
  })
  return true
}
