import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { loginInput, sessionRevoked, signupInput, signupStatus, user } from '@stoa/mail-model/accounts.ts'
import { route } from '../../context.ts'
import { closeSession } from '../../hosting/access/access.ts'
import { SIGN_IN_RATE } from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { sessionOf } from '../../principal.ts'
import { getSignupStatus, refuseClosedSignup, signIn, signUp } from './accounts.ts'
import { profileRoutes } from './profile-routes.ts'
import { userJson } from './schema.ts'
import { securityRoutes } from './security-routes.ts'

export const accountRoutes = [
  route({
    method: 'GET',
    path: '/api/auth/signups',
    summary: 'Whether a sign-up would be accepted',
    auth: PUBLIC,
    access: 'anyone',
    output: signupStatus,
    run: getSignupStatus,
  }),
  route({
    method: 'POST',
    path: '/api/auth/signup',
    summary: 'Create an account and sign in',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    load: refuseClosedSignup,
    body: signupInput,
    output: user,
    status: 201,
    run: async (ctx, { body, request }) => {
      const { account, cookie } = await signUp(ctx, body, request)
      return reply(userJson(account), { cookies: [cookie] })
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    body: loginInput,
    output: user,
    run: async (ctx, { body, request }) => {
      const { account, cookie } = await signIn(ctx, body, request)
      return reply(userJson(account), { cookies: [cookie] })
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out',
    auth: PUBLIC,
    access: 'anyone',
    output: sessionRevoked,
    run: async (ctx, { request }) =>
      reply(
        { object: 'session', revoked: true },
        // The browser must not cache pages for its next user.
        { cookies: [await closeSession(ctx, request)], headers: { 'clear-site-data': '"cache"' } },
      ),
  }),
  route({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The current user',
    auth: ['session'],
    access: 'account',
    output: user,
    run: async (ctx) => userJson(sessionOf(ctx).account),
  }),
  ...securityRoutes,
  ...profileRoutes,
]
