import {
  changePasswordInput,
  createUserInput,
  listedUser,
  loginInput,
  me,
  session,
  setupInput,
  signedIn,
  siteStatus,
  updateMeInput,
  updateUserInput,
  user,
} from '@stoa/cms-model/accounts.ts'
import { listOf } from '@stoa/cms-model/lists.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import type { Ctx } from '../../context.ts'
import { type Account, permissionsFor, sessionOf } from '../../principal.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { needs, OPEN, type Route, route } from '../access/access.ts'
import { changeOwnPassword, claimSite, getMe, isSetUp, updateMe } from './accounts.ts'
import { idParams, listedUserJson, meJson, sessionJson, sessionsQuery, userJson, usersQuery } from './schema.ts'
import { endOtherSessions, endSession, listSessions, removedSessionCookie, signIn, signOut } from './sessions.ts'
import { createUser, deleteUser, getUser, listUsers, updateUser } from './users.ts'
import { positionOf, welcome } from './welcome.ts'

/** Pages kept by the browser must not be there for the next user; other data of this host is not ours alone. */
const goodbye = (ctx: Ctx) =>
  reply(undefined, { cookies: [removedSessionCookie(ctx)], headers: { 'clear-site-data': '"cache"' } })

const record = (ctx: Ctx, account: Account) => reply(userJson(ctx, account), { etag: versionEtag(account.version) })

const authRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/auth/status',
    summary: 'Whether the site is claimed, and whether it can email password reset links',
    auth: PUBLIC,
    access: OPEN,
    output: siteStatus,
    run: async (ctx) => ({ setup: await isSetUp(ctx), resetByMail: ctx.config.smtp !== null }),
  }),
  route({
    method: 'POST',
    path: '/api/auth/setup',
    summary: 'Claim a new site as its first owner',
    auth: PUBLIC,
    access: OPEN,
    body: setupInput,
    output: signedIn,
    status: 201,
    run: async (ctx, { body, request }) => welcome(ctx, await claimSite(ctx, body, request)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    auth: PUBLIC,
    access: OPEN,
    body: loginInput,
    output: signedIn,
    run: async (ctx, { body, request }) => welcome(ctx, await signIn(ctx, body, request)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'Sign out',
    auth: ['session'],
    access: OPEN,
    output: 'empty',
    run: async (ctx) => {
      await signOut(ctx)
      return goodbye(ctx)
    },
  }),
  route({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The signed-in user, or the owner of the agent key, with their permissions',
    auth: ['session', 'agent'],
    access: OPEN,
    output: me,
    run: async (ctx) => {
      const account = getMe(ctx)
      return reply(meJson(ctx, account, permissionsFor(ctx.principal)), {
        etag: versionEtag(account.version),
        headers: positionOf(ctx),
      })
    },
  }),
  route({
    method: 'PUT',
    path: '/api/auth/me',
    summary: 'Change your name or picture: a raster image from the media library, or null for none',
    auth: ['session'],
    access: OPEN,
    body: updateMeInput,
    output: me,
    run: async (ctx, { body, request }) => {
      const account = await updateMe(ctx, body, wantedVersion(request, body.version))
      return reply(meJson(ctx, account), { etag: versionEtag(account.version) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'Your sessions, most recently used first',
    auth: ['session'],
    access: OPEN,
    query: sessionsQuery,
    output: listOf(session),
    run: async (ctx, { query }) => {
      const { items, meta } = await listSessions(ctx, query)
      return { items: items.map((item) => sessionJson(item, sessionOf(ctx).sessionId)), meta }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/sessions',
    summary: 'Sign out all your other sessions',
    auth: ['session'],
    access: OPEN,
    output: 'empty',
    run: async (ctx) => {
      await ctx.tx((tx) => endOtherSessions(ctx, tx))
      return undefined
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: 'Sign out one of your sessions',
    auth: ['session'],
    access: OPEN,
    params: idParams,
    output: 'empty',
    run: async (ctx, { params }) => {
      await endSession(ctx, params.id)
      return params.id === sessionOf(ctx).sessionId ? goodbye(ctx) : undefined
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/password',
    summary: 'Change your password; signs out your other sessions',
    auth: ['session'],
    access: OPEN,
    body: changePasswordInput,
    output: me,
    run: async (ctx, { body }) => meJson(ctx, await changeOwnPassword(ctx, body)),
  }),
]

const userRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/users',
    summary: 'List users',
    auth: ['session'],
    access: needs('users.manage'),
    query: usersQuery,
    output: listOf(listedUser),
    run: async (ctx, { query }) => {
      const { items, meta } = await listUsers(ctx, query)
      return { items: items.map((item) => listedUserJson(ctx, item)), meta }
    },
  }),
  route({
    method: 'POST',
    path: '/api/users',
    summary: 'Add a user, with at most your own role',
    auth: ['session'],
    access: needs('users.manage'),
    body: createUserInput,
    output: user,
    status: 201,
    run: async (ctx, { body }) => record(ctx, await createUser(ctx, body)),
  }),
  route({
    method: 'GET',
    path: '/api/users/:id',
    summary: 'Read a user',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    output: user,
    run: async (ctx, { params }) => record(ctx, await getUser(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/users/:id',
    summary: 'Update a user; a new email address, role or password signs them out',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    body: updateUserInput,
    output: user,
    run: async (ctx, { params, body, request }) =>
      record(ctx, await updateUser(ctx, params.id, body, wantedVersion(request, body.version))),
  }),
  route({
    method: 'DELETE',
    path: '/api/users/:id',
    summary: 'Deactivate a user; their content is kept',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await deleteUser(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
]

export const accountRoutes: readonly Route[] = [...authRoutes, ...userRoutes]
