import {
  aiConnection,
  aiConnectionInput,
  aiSignIn,
  aiSignInInput,
  aiTest,
  aiTestInput,
  aiUsage,
} from '@stoa/cms-model/ai.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { readUsage } from './budget.ts'
import { disconnect, saveConnection, showConnection } from './manage.ts'
import { finishSignIn, type SignInOutcome, startSignIn } from './oauth.ts'
import { testConnection } from './test-connection.ts'

/** For people only: no program spends the provider's budget, or learns where it goes. */
const BY_PEOPLE = { auth: ['session'] } as const
const BY_ADMINS = { ...BY_PEOPLE, access: needs('settings.manage') } as const

const MAX_PARAMETER_LENGTH = 8_192
/** A browser is never shown an error of JSON: what is not a text of a usual length is as if it were not there. */
const callbackQuery = z.looseObject({})
const textsOf = (query: Record<string, unknown>): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length <= MAX_PARAMETER_LENGTH ? value : undefined,
    ]),
  )

/** Always a screen of this site, whatever came in. */
const returnTo = (ctx: Ctx, outcome: SignInOutcome | null) => {
  const url = new URL(ctx.ai.returnPath, ctx.config.publicUrl)
  const params =
    outcome === null
      ? {}
      : 'model' in outcome
        ? { connected: outcome.model }
        : { aiError: outcome.error, message: outcome.message }
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return reply('', {
    status: 302,
    contentType: 'text/plain; charset=utf-8',
    headers: { location: url.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}

export const connectionRoutes: readonly Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/ai',
    summary: 'Read the connected AI provider, its capabilities and the daily limits; never returns the key',
    access: needs('content.read'),
    output: aiConnection,
    run: async (ctx) => {
      const shown = await showConnection(ctx)
      return reply(shown, { headers: { etag: versionEtag(shown.version) } })
    },
  }),
  route({
    ...BY_ADMINS,
    method: 'PUT',
    path: '/api/ai',
    summary: 'Connect an AI provider, replacing the current one; without a key, the saved key is kept',
    body: aiConnectionInput,
    output: aiConnection,
    run: async (ctx, { body, request }) => {
      const saved = await saveConnection(ctx, body, wantedVersion(request, body.version))
      return reply(saved, { headers: { etag: versionEtag(saved.version) } })
    },
  }),
  route({
    ...BY_ADMINS,
    method: 'DELETE',
    path: '/api/ai',
    summary: 'Disconnect the AI provider and delete its credential',
    body: versionInput,
    output: 'empty',
    run: async (ctx, { body, request }) => {
      await disconnect(ctx, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    ...BY_ADMINS,
    method: 'POST',
    path: '/api/ai/test',
    summary: 'Test a connection: stream an answer, call a tool and use its result; nothing is saved',
    body: aiTestInput,
    output: aiTest,
    run: (ctx, { body }) => testConnection(ctx, body),
  }),
  route({
    ...BY_ADMINS,
    method: 'GET',
    path: '/api/ai/usage',
    summary: 'Read token usage by day and feature, newest day first, and the daily limits',
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(366).default(30) }),
    output: aiUsage,
    run: (ctx, { query }) => readUsage(ctx, query.days),
  }),
  route({
    ...BY_ADMINS,
    method: 'POST',
    path: '/api/ai/oauth/start',
    summary: 'Start signing in with Anthropic; returns the URL to open in the browser',
    body: aiSignInInput,
    output: aiSignIn,
    run: async (ctx, { body }) => ({ url: await startSignIn(ctx, body.model) }),
  }),
  route({
    method: 'GET',
    path: '/ai/oauth/callback',
    summary: 'OAuth callback of the AI provider; redirects to the admin',
    auth: PUBLIC,
    access: OPEN,
    query: callbackQuery,
    output: 'raw',
    describes: { type: 'text/plain' },
    // Somebody only looks where the link leads: the state is kept for the person.
    run: async (ctx, { query, request }) =>
      returnTo(ctx, request.method === 'GET' ? await finishSignIn(ctx, textsOf(query)) : null),
  }),
]
