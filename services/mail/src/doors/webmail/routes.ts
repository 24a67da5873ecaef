import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { mailbox, mailboxLoginInput, mailboxSessionRevoked } from '@stoa/mail-model/webmail.ts'
import { route } from '../../context.ts'
import { closeWebmailSession } from '../../hosting/access/access.ts'
import { SIGN_IN_RATE } from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { getMailbox, signInToMailbox } from './owner/sign-in.ts'
import { webmailReadRoutes } from './reading/read-routes.ts'

export const webmailRoutes = [
  route({
    method: 'POST',
    path: '/api/mail/login',
    summary: 'Sign in with a mailbox credential',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    body: mailboxLoginInput,
    output: mailbox,
    run: async (ctx, { body, request }) => {
      const signedIn = await signInToMailbox(ctx, body, request)
      return reply(signedIn.mailbox, { cookies: [signedIn.cookie] })
    },
  }),
  route({
    method: 'POST',
    path: '/api/mail/logout',
    summary: 'Sign out of the mailbox',
    auth: PUBLIC,
    access: 'anyone',
    output: mailboxSessionRevoked,
    run: async (ctx, { request }) =>
      reply(
        { object: 'session', revoked: true },
        // The browser must not cache mail for its next user.
        { cookies: [await closeWebmailSession(ctx, request)], headers: { 'clear-site-data': '"cache"' } },
      ),
  }),
  route({
    method: 'GET',
    path: '/api/mail/me',
    summary: 'The current mailbox',
    auth: ['webmail'],
    access: 'mailbox',
    output: mailbox,
    run: getMailbox,
  }),
  ...webmailReadRoutes,
]
