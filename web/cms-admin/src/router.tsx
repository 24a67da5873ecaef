import type { Permission } from '@stoa/cms-model/permissions.ts'
import { backTo, readBack } from '@stoa/ui/navigation/return-path.ts'
import { parseSearch, stringifySearch } from '@stoa/ui/navigation/url-state.ts'
import { AppRoot } from '@stoa/ui/shell/app-root.tsx'
import { lazyScreen } from '@stoa/ui/shell/lazy-part.tsx'
import { preloadRoutes } from '@stoa/ui/shell/preload-routes.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect, useParams } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import { Allowed } from './allowed.tsx'
import { isSignedOut } from './api.ts'
import { entryQuery } from './entries/queries.ts'
import { HEALTH_PATH } from './health/paths.ts'
import { NotFound } from './not-found.tsx'
import { createQueryClient, isSignedIn, meQuery, statusQuery } from './queries.ts'
import { Pending, ScreenError } from './screen-states.tsx'
import { leadToSignIn } from './signed-out.ts'
import { typesQuery } from './types/queries.ts'
import { otherDocument } from './visual/documents.ts'

type Context = { queryClient: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: AppRoot })

const claim = createRoute({
  getParentRoute: () => root,
  path: '/claim',
  component: lazyScreen(() => import('./accounts/claim-screen.tsx'), 'ClaimScreen'),
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.fetchQuery(statusQuery)).setup) throw redirect({ to: '/sign-in' })
  },
})

const SignInScreen = lazyScreen(() => import('./accounts/sign-in-screen.tsx'), 'SignInScreen')

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: () => <SignInScreen back={signIn.useSearch().back} />,
  validateSearch: readBack,
  beforeLoad: async ({ context }) => {
    if (!(await context.queryClient.fetchQuery(statusQuery)).setup) throw redirect({ to: '/claim' })
    if (await isSignedIn(context.queryClient)) throw redirect({ to: '/' })
  },
})

/** A public route for links in mails. */
const outside = <const P extends string>(path: P, Screen: ComponentType) =>
  createRoute({ getParentRoute: () => root, path, component: () => <Screen /> })

const forgot = outside(
  '/forgot-password',
  lazyScreen(() => import('./accounts/forgot-screen.tsx'), 'ForgotScreen'),
)

const reset = outside(
  '/reset-password',
  lazyScreen(() => import('./accounts/reset-screen.tsx'), 'ResetScreen'),
)

const invitation = outside(
  '/invitation',
  lazyScreen(() => import('./accounts/invitation-screen.tsx'), 'InvitationScreen'),
)

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyScreen(() => import('./accounts/welcome-screen.tsx'), 'WelcomeScreen'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    if (!(await isSignedIn(queryClient))) throw redirect({ to: '/sign-in', search: backTo(location.href) })
    const { role } = await queryClient.ensureQueryData(meQuery)
    const { meta } = await queryClient.fetchQuery({ ...typesQuery, staleTime: 0 })
    // There is nothing to choose any more, or nothing that this person may choose.
    if (role !== 'owner' || meta.total > 0) throw redirect({ to: '/' })
  },
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyScreen(() => import('./shell.tsx'), 'Shell'),
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      throw redirect({ to: '/sign-in', search: backTo(location.href) })
    }
  },
})

const dashboard = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyScreen(() => import('./dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
})

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: lazyScreen(() => import('./accounts/account-screen.tsx'), 'AccountScreen'),
})

/** A screen behind a permission, with its code loaded when it is gone to. */
const screen = <const P extends string>(path: P, permission: Permission, Screen: ComponentType) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    component: () => (
      <Allowed permission={permission}>
        <Screen />
      </Allowed>
    ),
  })

/** A screen about one thing, which its address names. */
const record = <const P extends string>(path: P, permission: Permission, draw: (params: Named<P>) => ReactNode) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    component: () => (
      // The path says which there are
      <Allowed permission={permission}>{draw(useParams({ strict: false }) as Named<P>)}</Allowed>
    ),
  })

/** The parts of an address that stand for something: `$id`. */
type Named<P extends string> = P extends `${string}$${infer N}/${infer Rest}`
  ? Readonly<{ [K in N]: string }> & Named<Rest>
  : P extends `${string}$${infer N}`
    ? Readonly<{ [K in N]: string }>
    : unknown

const keys = screen(
  '/keys',
  'keys.manage',
  lazyScreen(() => import('./keys/keys-screen.tsx'), 'KeysScreen'),
)

const webhooks = screen(
  '/webhooks',
  'webhooks.manage',
  lazyScreen(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
)

const people = screen(
  '/people',
  'users.manage',
  lazyScreen(() => import('./people/people-screen.tsx'), 'PeopleScreen'),
)

const activity = screen(
  '/activity',
  'content.read',
  lazyScreen(() => import('./activity/activity-screen.tsx'), 'ActivityScreen'),
)

const settings = screen(
  '/settings',
  'settings.manage',
  lazyScreen(() => import('./settings/settings-screen.tsx'), 'SettingsScreen'),
)

const health = screen(
  HEALTH_PATH,
  'settings.manage',
  lazyScreen(() => import('./health/health-screen.tsx'), 'HealthScreen'),
)

const ai = screen(
  '/settings/ai',
  'settings.manage',
  lazyScreen(() => import('./settings/settings-screen.tsx'), 'AiScreen'),
)

const taxonomies = screen(
  '/taxonomies',
  'taxonomy.manage',
  lazyScreen(() => import('./taxonomies/taxonomies-screen.tsx'), 'TaxonomiesScreen'),
)

const TaxonomyScreen = lazyScreen(() => import('./taxonomies/taxonomy-screen.tsx'), 'TaxonomyScreen')

const taxonomy = record('/taxonomies/$name', 'taxonomy.manage', ({ name }) => <TaxonomyScreen name={name} />)

const WebhookScreen = lazyScreen(() => import('./webhooks/webhook-screen.tsx'), 'WebhookScreen')

const webhook = record('/webhooks/$id', 'webhooks.manage', ({ id }) => <WebhookScreen id={id} />)

const plugins = screen(
  '/plugins',
  'plugins.manage',
  lazyScreen(() => import('./plugins/plugins-screen.tsx'), 'PluginsScreen'),
)

const PluginScreen = lazyScreen(() => import('./plugins/plugin-screen.tsx'), 'PluginScreen')

const plugin = record('/plugins/$name', 'plugins.manage', ({ name }) => <PluginScreen name={name} />)

const PluginFrameScreen = lazyScreen(() => import('./plugins/frame-screen.tsx'), 'FrameScreen')

/** The service lists only the plugin screens that the person may use. */
const pluginFrame = createRoute({
  getParentRoute: () => shell,
  path: '/plugin/$name/$screen',
  component: () => {
    const { name, screen: id } = pluginFrame.useParams()
    return <PluginFrameScreen plugin={name} screen={id} />
  },
})

const media = screen(
  '/media',
  'content.read',
  lazyScreen(() => import('./media/media-screen.tsx'), 'MediaScreen'),
)

const social = screen(
  '/social',
  'social.write',
  lazyScreen(() => import('./social/overview-screen.tsx'), 'OverviewScreen'),
)

const socialCalendar = screen(
  '/social/calendar',
  'social.write',
  lazyScreen(() => import('./social/calendar/calendar-screen.tsx'), 'CalendarScreen'),
)

const socialPosts = screen(
  '/social/posts',
  'social.write',
  lazyScreen(() => import('./social/posts/posts-screen.tsx'), 'PostsScreen'),
)

const socialNewPost = screen(
  '/social/posts/new',
  'social.write',
  lazyScreen(() => import('./social/composer/composer-screen.tsx'), 'NewPostScreen'),
)

const SocialPostScreen = lazyScreen(() => import('./social/posts/post-screen.tsx'), 'PostScreen')

const socialPost = record('/social/posts/$id', 'social.write', ({ id }) => <SocialPostScreen id={id} />)

const EditPostScreen = lazyScreen(() => import('./social/composer/composer-screen.tsx'), 'EditPostScreen')

const socialEditPost = record('/social/posts/$id/edit', 'social.write', ({ id }) => <EditPostScreen id={id} />)

const socialAccounts = screen(
  '/social/accounts',
  'social.manage',
  lazyScreen(() => import('./social/apps/accounts-screen.tsx'), 'AccountsScreen'),
)

const socialApps = screen(
  '/social/settings',
  'social.manage',
  lazyScreen(() => import('./social/apps/apps-screen.tsx'), 'AppsScreen'),
)

const SocialAppScreen = lazyScreen(() => import('./social/apps/app-screen.tsx'), 'AppScreen')

const socialApp = record('/social/settings/$network', 'social.manage', ({ network }) => (
  <SocialAppScreen network={network} />
))

const visitorQuestions = screen(
  '/visitor-assistant',
  'content.read',
  lazyScreen(() => import('./visitor/questions-screen.tsx'), 'QuestionsScreen'),
)

const visitorSettings = screen(
  '/visitor-assistant/settings',
  'settings.manage',
  lazyScreen(() => import('./visitor/settings-screen.tsx'), 'VisitorSettingsScreen'),
)

const menus = screen(
  '/menus',
  'menus.manage',
  lazyScreen(() => import('./menus/menus-screen.tsx'), 'MenusScreen'),
)

const trash = screen(
  '/trash',
  'content.write',
  lazyScreen(() => import('./entries/trash/trash-screen.tsx'), 'TrashScreen'),
)

const types = screen(
  '/types',
  'types.manage',
  lazyScreen(() => import('./types/types-screen.tsx'), 'TypesScreen'),
)

const TypeScreen = lazyScreen(() => import('./types/type-screen.tsx'), 'TypeScreen')

const type = record('/types/$name', 'types.manage', ({ name }) => <TypeScreen name={name} />)

const ContentScreen = lazyScreen(() => import('./entries/list/content-screen.tsx'), 'ContentScreen')

const content = record('/content/$type', 'content.read', ({ type }) => <ContentScreen type={type} />)

const EntryScreen = lazyScreen(() => import('./entries/editor/entry-screen.tsx'), 'EntryScreen')

const entry = record('/content/$type/$id', 'content.read', (named) => <EntryScreen type={named.type} id={named.id} />)

/** For those who know an entry's id and not its type. */
const entryById = createRoute({
  getParentRoute: () => shell,
  path: '/entries/$id',
  beforeLoad: async ({ context, params: { id } }) => {
    const { type } = await context.queryClient.fetchQuery(entryQuery(id))
    throw redirect({ to: '/content/$type/$id', params: { type, id }, replace: true })
  },
})

// The page editor is a document of its own
const edit = createRoute({ getParentRoute: () => root, path: '/edit/$', beforeLoad: otherDocument })

// Inside the frame, so that the navigation stays
const notFound = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound })

const routeTree = root.addChildren([
  claim,
  signIn,
  forgot,
  reset,
  invitation,
  welcome,
  edit,
  shell.addChildren([
    dashboard,
    account,
    people,
    activity,
    content,
    entry,
    entryById,
    trash,
    media,
    social,
    socialCalendar,
    socialPosts,
    socialNewPost,
    socialPost,
    socialEditPost,
    socialAccounts,
    socialApps,
    socialApp,
    visitorQuestions,
    visitorSettings,
    menus,
    types,
    type,
    settings,
    health,
    ai,
    taxonomies,
    taxonomy,
    keys,
    webhooks,
    webhook,
    plugins,
    plugin,
    pluginFrame,
    notFound,
  ]),
])

/** The admin's screens below the path that the server gave it. */
export const createAppRouter = (basepath: string) => {
  const queryClient = createQueryClient()
  const router = createRouter({
    routeTree,
    basepath: basepath || '/',
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: ScreenError,
    defaultPendingComponent: Pending,
    Wrap: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  preloadRoutes(router)
  leadToSignIn(router, queryClient)
  return router
}
