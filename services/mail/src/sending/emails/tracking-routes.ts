import { PUBLIC, reply } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { route } from '../../context.ts'
import { followLink, followPicture } from './tracking.ts'

/** The pictures of a whole mail provider are fetched by a few machines. */
const rate = { limit: 500, windowSeconds: 1 }

const one = z.object({ token: z.string() })

/** A transparent GIF of one point. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Links and pixels in mails that were sent with tracking. They belong to no website, so every origin may use them. */
export const trackingRoutes = [
  route({
    method: 'GET',
    path: '/t/o/:token',
    summary: 'Tracking image for opens',
    auth: PUBLIC,
    access: 'anyone',
    crossOrigin: true,
    rate,
    params: one,
    output: 'raw',
    describes: { type: 'image/gif' },
    run: async (ctx, { params, request }) => {
      await followPicture(ctx, params.token, request)
      const headers = { 'cache-control': 'no-store, private', 'cross-origin-resource-policy': 'cross-origin' }
      return reply(PICTURE, { contentType: 'image/gif', headers })
    },
  }),
  route({
    method: 'GET',
    path: '/t/c/:token',
    summary: 'Tracked link for clicks',
    auth: PUBLIC,
    access: 'anyone',
    crossOrigin: true,
    rate,
    params: one,
    query: z.object({ url: z.string().catch('') }),
    output: 'raw',
    status: 302,
    run: async (ctx, { params, query, request }) => {
      const location = await followLink(ctx, { token: params.token, url: query.url, request })
      return reply('', { contentType: 'text/plain; charset=utf-8', headers: { location } })
    },
  }),
]
