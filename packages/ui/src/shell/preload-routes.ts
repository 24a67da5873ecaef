import type { AnyRouter } from '@tanstack/react-router'

/** Begins to load the code of the screens at the page's address: it comes while the service is asked who is there. */
export const preloadRoutes = (router: AnyRouter): void => {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) void route.options.component?.preload?.()
}
