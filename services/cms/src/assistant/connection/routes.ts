import { aiConnection, aiConnectionInput } from '@stoa/cms-model/ai.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { needs, type Route, route } from '../../people/access/access.ts'
import { versionInput, wantedVersion } from '../../versions.ts'
import { disconnect, saveConnection, showConnection } from './manage.ts'

/** For people only: no program spends the provider's budget, or learns where it goes. */
const BY_PEOPLE = { auth: ['session'] } as const
const BY_ADMINS = { ...BY_PEOPLE, access: needs('settings.manage') } as const

export const connectionRoutes: readonly Route[] = [
  route({
    ...BY_PEOPLE,
    method: 'GET',
    path: '/api/ai',
    summary: 'The connected AI provider, what it is good for, and the daily limits; never its key',
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
    summary: 'Connect an AI provider in place of the one before; a key that is not sent is kept',
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
    summary: 'Disconnect the AI provider and forget its credential',
    body: versionInput,
    output: 'empty',
    run: async (ctx, { body, request }) => {
      await disconnect(ctx, wantedVersion(request, body.version))
      return undefined
    },
  }),
]
