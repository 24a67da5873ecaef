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
    summary: 'Open invitations, newest first',
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
    summary: 'Invite someone, with at most your own role; `url` is only returned here, and emailed if SMTP_URL is set',
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
    summary: 'Withdraw an invitation; its link stops working',
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
    summary: 'Renew an invitation for 7 days with a new link; the old link stops working',
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
    summary: 'Read an invitation by its token',
    auth: PUBLIC,
    access: OPEN,
    body: openInvitationInput,
    output: openedInvitation,
    run: (ctx, { body, request }) => openInvitation(ctx, body.token, request),
  }),
  route({
    method: 'POST',
    path: '/api/auth/invitation/accept',
    summary: 'Accept an invitation; creates the account and signs in',
    auth: PUBLIC,
    access: OPEN,
    body: acceptInvitationInput,
    output: signedIn,
    status: 201,
    run: async (ctx, { body, request }) => welcome(ctx, await acceptInvitation(ctx, body, request)),
  }),
]
