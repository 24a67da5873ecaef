import { z } from 'zod'
import { email, givenToken, newPassword, personName, role } from './accounts.ts'
import { moment } from './moments.ts'

/** An invitation can be accepted for so long. */
export const INVITATION_DAYS = 7

export const createInvitationInput = z.strictObject({ email, name: personName.optional(), role })
export type CreateInvitationInput = z.infer<typeof createInvitationInput>

/** Someone who was asked to join and has not answered. */
export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role,
  expiresAt: moment,
  createdAt: moment,
  createdBy: z.object({ id: z.uuid(), name: z.string() }),
  /** The mail with the present link was handed over to the mail server. */
  sent: z.boolean(),
  version: z.int(),
})
export type Invitation = z.infer<typeof invitation>

/** An invitation with its link, which only this response contains. */
export const issuedInvitation = invitation.extend({ url: z.string() })
export type IssuedInvitation = z.infer<typeof issuedInvitation>

export const openInvitationInput = z.strictObject({ token: givenToken })

/** What the person with the link sees before they accept. */
export const openedInvitation = z.object({
  email: z.string(),
  name: z.string().nullable(),
  role,
  /** The title of the site. */
  site: z.string(),
})
export type OpenedInvitation = z.infer<typeof openedInvitation>

export const acceptInvitationInput = z.strictObject({ token: givenToken, name: personName, password: newPassword })
export type AcceptInvitationInput = z.infer<typeof acceptInvitationInput>
