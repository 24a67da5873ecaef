import type { Invitation, IssuedInvitation } from '@stoa/cms-model/invitations.ts'
import { listQuery } from '@stoa/cms-model/lists.ts'
import { z } from 'zod'
import type { Issued, StoredInvitation } from './invitations.ts'

export const idParams = z.object({ id: z.uuid() })
export const invitationsQuery = listQuery({})

export const invitationJson = (stored: StoredInvitation): Invitation => ({
  id: stored.id,
  email: stored.email,
  name: stored.name,
  role: stored.role,
  expiresAt: stored.expiresAt.toISOString(),
  createdAt: stored.createdAt.toISOString(),
  createdBy: stored.createdBy,
  sent: stored.isSent,
  version: stored.version,
})

export const issuedJson = ({ invitation, url }: Issued): IssuedInvitation => ({ ...invitationJson(invitation), url })
