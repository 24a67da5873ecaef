import { apiSurface, type Surface } from '@stoa/kit/http/headers.ts'
import { API_VERSION } from '../../api-version.ts'
import type { Config } from '../../config.ts'

/** Answers for websites: kept by the client's own cache if it asks whether they still hold, and read by listed origins. */
export const deliverySurface = ({
  publicUrl,
  deliveryOrigins,
}: Pick<Config, 'publicUrl' | 'deliveryOrigins'>): Surface => ({
  headers: {
    ...apiSurface(publicUrl, { 'x-cms-version': API_VERSION }).headers,
    'cache-control': 'private, no-cache',
    vary: 'X-Api-Key, Origin, Accept-Encoding',
  },
  cors: {
    origins: new Set(deliveryOrigins),
    methods: 'GET, HEAD, POST',
    allowHeaders: 'X-Api-Key, Content-Type, Accept-Version, If-None-Match',
    exposeHeaders: 'ETag, Retry-After, X-Cms-Version, X-Request-Id',
  },
})
