import { socialAccounts, socialConsent, socialNetworks } from '@stoa/cms-model/social.ts'
import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { disconnect } from './accounts.ts'
import { type ConsentOutcome, finishConsent, startConsent } from './consent.ts'
import { listAccounts, listNetworks } from './list.ts'

/** For people only: no program connects an account. */
const BY_PEOPLE = { auth: ['session'], access: needs('social.manage') } as const

const networkParams = z.object({ network: z.string().max(50) })
const accountParams = z.object({ id: z.uuid() })

/** Networks add members of their own, and a browser is never shown an error of JSON. */
const callbackQuery = z.looseObject({
  state: z.unknown().optional(),
  code: z.unknown().optional(),
  error: z.unknown().optional(),
  error_description: z.unknown().optional(),
  error_reason: z.unknown().optional(),
  error_message: z.unknown().optional(),
})

const MAX_PARAMETER_LENGTH = 8_192

/** Given once and of a length that networks use; everything else is as if it were not there. */
const textsOf = (query: Record<string, unknown>): Record<string, string | undefined> => {
  const given = Object.entries(query).map(([name, value]) => [name, isText(value) ? value : undefined])
  return Object.fromEntries(given)
}
const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_PARAMETER_LENGTH

/** Always a screen of this site, whatever came in. */
const returnUrl = (ctx: Ctx, outcome: ConsentOutcome): string => {
  const url = new URL(ctx.socialReturnPath, ctx.config.publicUrl)
  const params =
    'count' in outcome
      ? { connected: outcome.network, count: String(outcome.count) }
      : { socialError: outcome.error, network: outcome.network, message: outcome.message }
  for (const [name, value] of Object.entries(params)) if (value !== null) url.searchParams.set(name, value)
  return url.href
}

const goTo = (location: string) =>
  reply('', {
    status: 302,
    contentType: 'text/plain; charset=utf-8',
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })

export const accountRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/social/networks',
    summary: 'List networks with their limits, options and connected accounts',
    auth: ['session', 'agent'],
    access: needs('social.write'),
    output: socialNetworks,
    run: (ctx) => listNetworks(ctx),
  }),
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/social/accounts',
    summary: 'List networks with their connected accounts, and whether their app is ready',
    output: socialAccounts,
    run: (ctx) => listAccounts(ctx),
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/social/accounts/:network/start',
    summary: "Start connecting accounts; returns the URL of the network's consent page",
    params: networkParams,
    output: socialConsent,
    run: async (ctx, { params }) => ({ url: await startConsent(ctx, params.network) }),
  }),
  route({
    ...BY_PEOPLE,
    method: 'DELETE',
    path: '/api/social/accounts/:id',
    summary: 'Disconnect an account; its scheduled posts fail',
    params: accountParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await disconnect(ctx, params.id, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    method: 'GET',
    path: '/social/oauth/callback',
    summary: 'OAuth callback of the networks; redirects to the admin',
    auth: PUBLIC,
    access: OPEN,
    query: callbackQuery,
    output: 'raw',
    describes: { type: 'text/plain' },
    run: async (ctx, { query, request }) => {
      // Somebody only looks where the link leads: the state is kept for the person.
      if (request.method !== 'GET') return goTo(new URL(ctx.socialReturnPath, ctx.config.publicUrl).href)
      return goTo(returnUrl(ctx, await finishConsent(ctx, textsOf(query))))
    },
  }),
]
