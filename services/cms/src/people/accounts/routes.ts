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

/** Pages kept by the browser must not be there for whoever comes next; other data of this host is not ours alone. */
const goodbye = (ctx: Ctx) =>
  reply(undefined, { cookies: [removedSessionCookie(ctx)], headers: { 'clear-site-data': '"cache"' } })

const record = (ctx: Ctx, account: Account) => reply(userJson(ctx, account), { etag: versionEtag(account.version) })

const authRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/auth/status',
    summary: 'Whether the site has its first owner, and whether it can mail links for forgotten passwords',
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
    summary: 'End this session',
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
    summary: 'The signed-in person, or the one whose agent key this is, with the permissions at hand',
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
    summary: 'Change the own name or picture: a raster image of the media library, or null for none',
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
    summary: 'Own sessions, the latest used first',
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
    summary: 'End all own sessions but this one',
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
    summary: 'End one own session',
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
    summary: 'Change the own password; all other sessions end',
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
    summary: 'The people who can sign in',
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
    summary: 'Add someone, not above the own role',
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
    summary: 'One person',
    auth: ['session'],
    access: needs('users.manage'),
    params: idParams,
    output: user,
    run: async (ctx, { params }) => record(ctx, await getUser(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/users/:id',
    summary: 'Change the members sent; a new address, role or password ends the sessions of that person',
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
    summary: 'Deactivate someone: sign-in ends, what they wrote stays',
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
