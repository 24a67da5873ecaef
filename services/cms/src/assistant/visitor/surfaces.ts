import { extSurface, type Surface } from '@stoa/kit/http/headers.ts'
import { API_VERSION } from '../../api-version.ts'
import type { VisitorState } from './state.ts'

/** Answers to pages of listed websites. */
export const VISITOR_SURFACE = 'visitor'
/** The script that any page may load. */
export const WIDGET_SURFACE = 'widget'

export const visitorSurfaces = (
  publicUrl: string,
  visitor: Pick<VisitorState, 'allows'>,
): Record<typeof VISITOR_SURFACE | typeof WIDGET_SURFACE, Surface> => {
  const extra = { 'x-cms-version': API_VERSION }
  const common = { allowHeaders: 'Content-Type', exposeHeaders: 'Retry-After, X-Cms-Version, X-Request-Id' }
  return {
    [VISITOR_SURFACE]: extSurface(
      publicUrl,
      { ...common, origins: { has: visitor.allows }, methods: 'POST, OPTIONS' },
      extra,
    ),
    [WIDGET_SURFACE]: extSurface(publicUrl, { ...common, origins: '*', methods: 'GET, HEAD' }, extra),
  }
}
