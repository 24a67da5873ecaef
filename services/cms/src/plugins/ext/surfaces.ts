import { type Cors, extSurface, type Surface } from '@stoa/kit/http/headers.ts'
import { API_VERSION } from '../../api-version.ts'

/** What everybody may load, and call without a cookie: public routes of plugins, and files of their screens. */
export const PUBLIC_SURFACE = 'ext'

const cors: Cors = {
  origins: '*',
  methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
  allowHeaders: 'Content-Type, Accept-Version, If-None-Match',
  exposeHeaders: 'ETag, Retry-After, X-Cms-Version, X-Request-Id',
}

export const extSurfaces = (publicUrl: string): Record<typeof PUBLIC_SURFACE, Surface> => ({
  [PUBLIC_SURFACE]: extSurface(publicUrl, cors, { 'x-cms-version': API_VERSION }),
})
