import {
  type SocialApp,
  saveSocialAppInput,
  socialApp,
  socialAppTest,
  socialSettings,
} from '@stoa/cms-model/social-apps.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../version-conflict.ts'
import { type App, callbackUrlOf, listApps, removeApp, saveApp, warningsOf } from './apps.ts'
import { testApp } from './test-app.ts'

/** For people only: the secret of an app is worth every account that is connected with it. */
const BY_PEOPLE = { auth: ['session'], access: needs('social.manage') } as const

const networkParams = z.object({ network: z.string().max(50) })

const toJson = (ctx: Ctx, app: App): SocialApp => {
  const callbackUrl = callbackUrlOf(ctx.config)
  const { label, walkthrough } = app.definition
  return {
    network: app.network,
    label,
    source: app.source,
    version: app.version,
    clientId: app.clientId,
    secretLast4: app.secretLast4,
    enabled: app.enabled,
    overrides: app.overrides,
    callbackUrl,
    consoleUrl: walkthrough.consoleUrl,
    scopes: [...app.endpoints.scopes],
    walkthrough: walkthrough.steps.map(({ title, body }) => ({
      title,
      body: body.replaceAll('{callback}', callbackUrl),
    })),
    checkedOn: walkthrough.checkedOn,
    leadTime: walkthrough.leadTime,
    warnings: warningsOf(app, ctx.config, ctx.now()),
  }
}

export const appRoutes: readonly Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/social/settings',
    summary: 'List the app of each network, where its credentials come from, and how to set it up',
    output: socialSettings,
    run: async (ctx) => ({ items: (await listApps(ctx)).map((app) => toJson(ctx, app)) }),
  }),
  route({
    ...BY_PEOPLE,
    method: 'PUT',
    path: '/api/social/settings/:network',
    summary: "Save a network's app; an empty secret removes the saved one",
    params: networkParams,
    body: saveSocialAppInput,
    output: socialApp,
    run: async (ctx, { params, body, request }) => {
      const app = await saveApp(ctx, params.network, body, wantedVersion(request, body.version))
      return reply(toJson(ctx, app), { headers: { etag: versionEtag(app.version ?? 0) } })
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'DELETE',
    path: '/api/social/settings/:network',
    summary: "Delete a network's app; connected accounts work until their access expires",
    params: networkParams,
    body: versionInput,
    output: 'empty',
    run: async (ctx, { params, body, request }) => {
      await removeApp(ctx, params.network, wantedVersion(request, body.version))
      return undefined
    },
  }),
  route({
    ...BY_PEOPLE,
    method: 'POST',
    path: '/api/social/settings/:network/test',
    summary: 'Check with the network that the client ID and secret are valid',
    params: networkParams,
    output: socialAppTest,
    run: (ctx, { params }) => testApp(ctx, params.network),
  }),
]
