import { signedIn } from '@stoa/cms-model/accounts.ts'
import {
  acceptInvitationInput,
  createInvitationInput,
  invitation,
  issuedInvitation,
  openedInvitation,
  openInvitationInput,
} from '@stoa/cms-model/invitations.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { needs, OPEN, type Route, route } from '../access/access.ts'
import { welcome } from '../accounts/accounts.ts'
import {
  acceptInvitation,
  type Issued,
  invite,
  listInvitations,
  openInvitation,
  renewInvitation,
  withdrawInvitation,
} from './invitations.ts'
import { idParams, invitationJson, invitationsQuery, issuedJson } from './schema.ts'

const record = (issued: Issued) => reply(issuedJson(issued), { etag: versionEtag(issued.invitation.version) })

export const invitationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/invitations',
    summary: 'People who were invited and have not accepted, the newest first',
    auth: ['session'],
    access: needs('users.manage'),
    query: invitationsQuery,
    output: listOf(invitation),
    run: async (ctx, { query }) => {
      const { items, meta } = await listInvitations(ctx, query)
      return { items: items.map(invitationJson), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/invitations',
    summary: 'Invite someone, not above the own role; `url` is shown in this answer only, and mailed with SMTP_URL',
    auth: ['session'],
    access: needs('users.manage'),
    body: createInvitationInput,
    output: issuedInvitation,
    status: 201,
    run: async (ctx, { body }) => record(await invite(ctx, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/invitations/:id',
    summary: 'Withdraw an invitation: its link no longer works',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await withdrawInvitation(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    method: 'POST',
    path: '/api/invitations/:id/renew',
    summary: 'A new link for another 7 days; the one before no longer works',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    body: versionInput,
    output: issuedInvitation,
    run: async (ctx, { params, body, request }) =>
      record(await renewInvitation(ctx, params.id, wantedVersion(request, body.version))),
  }),
  route({
    method: 'POST',
    path: '/api/auth/invitation',
    summary: 'What the token of an invitation is for',
    auth: PUBLIC,
    access: OPEN,
    body: openInvitationInput,
    output: openedInvitation,
    run: (ctx, { body, request }) => openInvitation(ctx, body.token, request),
  }),
  route({
    method: 'POST',
    path: '/api/auth/invitation/accept',
    summary: 'Accept an invitation: makes the account and signs in',
    auth: PUBLIC,
    access: OPEN,
    body: acceptInvitationInput,
    output: signedIn,
    status: 201,
    run: async (ctx, { body, request }) => welcome(ctx, await acceptInvitation(ctx, body, request)),
  }),
]
