import { backTo } from '@stoa/ui/navigation/return-path.ts'
import { parseSearch, stringifySearch } from '@stoa/ui/navigation/url-state.ts'
import { AppRoot } from '@stoa/ui/shell/app-root.tsx'
import { lazyScreen } from '@stoa/ui/shell/lazy-part.tsx'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { Allowed } from '../allowed.tsx'
import { isSignedOut } from '../api.ts'
import { createQueryClient, meQuery } from '../queries.ts'
import { Pending, ScreenError } from '../screen-states.tsx'
import { leadToSignIn } from '../signed-out.ts'
import { otherDocument } from './documents.ts'

type Context = { queryClient: QueryClient }

/** Unsaved work goes along between the screens of this document. */
const isEditPath = (path: string): boolean => /\/edit\/[^/]+$/.test(path)
const carries = (from: string, to: string): boolean => isEditPath(from) && isEditPath(to)

const root = createRootRouteWithContext<Context>()({ component: () => <AppRoot carries={carries} /> })

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: lazyScreen(() => import('./edit-frame.tsx'), 'EditFrame'),
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      throw redirect({ to: '/sign-in', search: backTo(location.href) })
    }
  },
})

const EditScreen = lazyScreen(() => import('./edit-screen.tsx'), 'EditScreen')

const entry = createRoute({
  getParentRoute: () => frame,
  path: '/edit/$id',
  component: () => (
    <Allowed permission="content.read">
      <EditScreen id={entry.useParams().id} />
    </Allowed>
  ),
})

const SiteScreen = lazyScreen(() => import('./site/site-screen.tsx'), 'SiteScreen')

const site = createRoute({
  getParentRoute: () => frame,
  path: '/edit/site',
  component: () => (
    <Allowed permission="content.read">
      <SiteScreen />
    </Allowed>
  ),
})

// Everything else is in the admin, which is another document
const elsewhere = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: otherDocument })

const routeTree = root.addChildren([frame.addChildren([site, entry]), elsewhere])

/** The page editor: screens of a document of its own, at addresses beside those of the admin. */
export const createEditRouter = (basepath: string) => {
  const queryClient = createQueryClient()
  const router = createRouter({
    routeTree,
    basepath: basepath || '/',
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: ScreenError,
    defaultPendingComponent: Pending,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  leadToSignIn(router, queryClient)
  return router
}
