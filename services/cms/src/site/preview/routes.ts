import { deliveredOne, entryQueryParameters } from '@stoa/cms-model/delivery.ts'
import { previewInput, previewLink } from '@stoa/cms-model/preview.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { ENTRY_BODY_LIMIT, idParams } from '../../content/entries/entries.ts'
import { needs, OPEN, type Route, route } from '../../people/access/access.ts'
import { createPreview, openPreview } from './preview.ts'

export const previewRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/api/entries/:id/preview',
    summary:
      'Create a preview link for the saved entry, or for unsaved changes sent with the request; nothing is saved',
    auth: ['session', 'agent'],
    access: needs('content.write'),
    params: idParams,
    body: previewInput,
    bodyLimit: ENTRY_BODY_LIMIT,
    output: previewLink,
    run: (ctx, { params, body }) => createPreview(ctx, params.id, body),
  }),
  route({
    method: 'GET',
    path: '/preview/:token',
    summary: 'Read the entry of a preview link, in any status',
    auth: ['delivery'],
    access: OPEN,
    surface: 'delivery',
    params: z.object({ token: z.string() }),
    output: 'raw',
    describes: { query: entryQueryParameters, output: deliveredOne },
    run: async (ctx, { params, request }) => {
      const search = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
      const shown = await openPreview(ctx, params.token, search)
      return reply(JSON.stringify(shown), {
        contentType: 'application/json; charset=utf-8',
        headers: { 'cache-control': 'no-store' },
      })
    },
  }),
]
