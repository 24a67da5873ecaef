import { reply } from '@stoa/kit/http/route.ts'
import {
  accountDeleteInput,
  emailChangeInput,
  notificationsInput,
  passwordInput,
  profileInput,
  referrals,
  sessionList,
  sessionListQuery,
  sessionRevocation,
  user,
} from '@stoa/mail-model/accounts.ts'
import { deletedOf } from '@stoa/mail-model/objects.ts'
import { route } from '../../context.ts'
import { closeSession } from '../../hosting/access/access.ts'
import { changePassword } from './accounts.ts'
import { deleteAccount } from './deletion.ts'
import { updateNotifications, updateProfile } from './profile.ts'
import { getReferrals } from './referrals.ts'
import { userJson } from './schema.ts'
import { getSessions, revokeOtherSessions } from './sessions.ts'
import { requestEmailChange } from './verification.ts'

export const profileRoutes = [
  route({
    method: 'PATCH',
    path: '/api/account',
    summary: 'Update the profile',
    auth: ['session'],
    access: 'account',
    body: profileInput,
    output: user,
    run: async (ctx, { body }) => userJson(await updateProfile(ctx, body)),
  }),
  route({
    method: 'DELETE',
    path: '/api/account',
    summary: 'Delete the account with its domains, addresses and mail',
    auth: ['session'],
    access: 'account',
    body: accountDeleteInput,
    output: deletedOf('user'),
    run: async (ctx, { body, request }) => {
      const { id } = await deleteAccount(ctx, body)
      return reply({ object: 'user', id, deleted: true } as const, { cookies: [await closeSession(ctx, request)] })
    },
  }),
  route({
    method: 'POST',
    path: '/api/account/email',
    summary: 'Change the email address; takes effect once the new one is confirmed',
    auth: ['session'],
    access: 'account',
    body: emailChangeInput,
    output: user,
    run: async (ctx, { body }) => userJson(await requestEmailChange(ctx, body)),
  }),
  route({
    method: 'POST',
    path: '/api/account/password',
    summary: 'Change the password; revokes all other sessions',
    auth: ['session'],
    access: 'account',
    body: passwordInput,
    output: user,
    run: async (ctx, { body }) => userJson(await changePassword(ctx, body)),
  }),
  route({
    method: 'PATCH',
    path: '/api/account/notifications',
    summary: 'Update notification preferences',
    auth: ['session'],
    access: 'account',
    body: notificationsInput,
    output: user,
    run: async (ctx, { body }) => userJson(await updateNotifications(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/account/sessions',
    summary: 'Active sessions',
    auth: ['session'],
    access: 'account',
    query: sessionListQuery,
    output: sessionList,
    run: (ctx, { query }) => getSessions(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/account/sessions/revoke-others',
    summary: 'Revoke every other session',
    auth: ['session'],
    access: 'account',
    output: sessionRevocation,
    run: revokeOtherSessions,
  }),
  route({
    method: 'GET',
    path: '/api/account/referrals',
    summary: 'Referral data',
    auth: ['session'],
    access: 'account',
    output: referrals,
    run: getReferrals,
  }),
]
