import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { z } from 'zod'
import { sendFile } from '../../content/media/media.ts'
import { fail } from '../../errors.ts'
import { OPEN, type Route, route } from '../../people/access/access.ts'
import { findServedRendition } from './queries.ts'

const params = z.object({ file: z.string().regex(/^[\w-]{43}\.jpg$/) })

export const socialMediaRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/media/social/:file',
    summary: 'Image for a social network to download; expires a day after the post was published',
    auth: PUBLIC,
    access: OPEN,
    surface: 'media',
    params,
    output: 'raw',
    run: async (ctx, { params: { file }, request }) => {
      const found = await findServedRendition(ctx.db, hashToken(file.slice(0, -'.jpg'.length)), ctx.now())
      if (found === null) return fail('NOT_FOUND')
      return sendFile(ctx, request, {
        key: found.blobKey,
        size: found.size,
        mimeType: found.mimeType,
        filename: 'picture.jpg',
        caching: 'public, max-age=3600',
      })
    },
  }),
]
