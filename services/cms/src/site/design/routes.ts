import { designRecord, designSurfaceRecord, updateDesignInput } from '@stoa/cms-model/design.ts'
import { versionEtag } from '@stoa/kit/http/etag.ts'
import { reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { needs, type Route, route } from '../../people/access/access.ts'
import { wantedVersion } from '../../version-conflict.ts'
import { readDesign, requireSurface, updateSurface } from './design.ts'

export const designRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/design',
    summary: 'List the design properties that can be changed, with their current values',
    auth: ['session', 'agent'],
    access: needs('content.read'),
    output: designRecord,
    run: (ctx) => readDesign(ctx),
  }),
  route({
    method: 'PUT',
    path: '/api/design/:surface',
    summary: "Set design properties of a surface; null and remove restore the website's own values",
    auth: ['session', 'agent'],
    access: needs('settings.manage'),
    params: z.object({ surface: z.string() }),
    body: updateDesignInput,
    output: designSurfaceRecord,
    load: (ctx, { params }) => requireSurface(ctx, params.surface),
    run: async (ctx, { loaded, body, request }) => {
      const saved = await updateSurface(ctx, loaded, body, wantedVersion(request, body.version))
      return reply(saved, { etag: versionEtag(saved.version) })
    },
  }),
]
