import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { backTo, readBack } from '@stoa/ui/navigation/return-path.ts'
import { parseSearch, stringifySearch } from '@stoa/ui/navigation/url-state.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { AppRoot } from '@stoa/ui/shell/app-root.tsx'
import { lazyScreen } from '@stoa/ui/shell/lazy-part.tsx'
import { preloadRoutes } from '@stoa/ui/shell/preload-routes.ts'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import { isSignedOut } from './api.ts'
import { NotFound } from './not-found.tsx'
import { overviewQuery } from './overview/queries.ts'
import { createQueryClient, meQuery, signupsQuery } from './queries.ts'
import { leadToSignIn } from './signed-out.ts'
import { askFirstRows } from './webmail/list/first-rows.ts'
import { foldersQuery, mailboxQuery, mailSettingsQuery } from './webmail/queries.ts'

type Context = { queryClient: QueryClient }

const root = createRootRouteWithContext<Context>()({ component: AppRoot })

const SignUpScreen = lazyScreen(() => import('./accounts/sign-up-screen.tsx'), 'SignUpScreen')

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: () => <SignUpScreen status={signUp.useLoaderData()} />,
  loader: ({ context }) => context.queryClient.fetchQuery(signupsQuery),
})

const SignInScreen = lazyScreen(() => import('./accounts/sign-in-screen.tsx'), 'SignInScreen')

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: () => <SignInScreen back={signIn.useSearch().back} />,
  validateSearch: readBack,
  beforeLoad: async ({ context }) => {
    if ((await context.queryClient.fetchQuery(signupsQuery)).first_account) throw redirect({ to: '/sign-up' })
    if (await isSignedIn(context.queryClient)) throw redirect({ to: '/' })
  },
})

/** A page for anyone with its address, signed in or not. */
const page = <const P extends string>(path: P, Screen: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component: Screen })

const forgot = page(
  '/forgot',
  lazyScreen(() => import('./accounts/forgot-screen.tsx'), 'ForgotScreen'),
)
const reset = page(
  '/reset',
  lazyScreen(() => import('./accounts/reset-screen.tsx'), 'ResetScreen'),
)
const verify = page(
  '/verify',
  lazyScreen(() => import('./accounts/verify-screen.tsx'), 'VerifyScreen'),
)
const recover = page(
  '/recover',
  lazyScreen(() => import('./recovery/recover-screen.tsx'), 'RecoverScreen'),
)

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

/** A screen of the panel, with its code loaded when it is gone to. */
const screen = <const P extends string>(path: P, Screen: RouteComponent) =>
  createRoute({ getParentRoute: () => shell, path, component: Screen })

const panelRoutes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyScreen(() => import('./overview/overview-screen.tsx'), 'OverviewScreen'),
    loader: ({ context }) => void context.queryClient.prefetchQuery(overviewQuery),
  }),
  screen(
    '/domains',
    lazyScreen(() => import('./domains/domains-screen.tsx'), 'DomainsScreen'),
  ),
  screen(
    '/domains/$domainId',
    lazyScreen(() => import('./domains/domain-screen.tsx'), 'DomainScreen'),
  ),
  screen(
    '/addresses',
    lazyScreen(() => import('./addresses/addresses-screen.tsx'), 'AddressesScreen'),
  ),
  screen(
    '/addresses/$addressId',
    lazyScreen(() => import('./addresses/address-screen.tsx'), 'AddressScreen'),
  ),
  screen(
    '/filters',
    lazyScreen(() => import('./filters/filters-screen.tsx'), 'FiltersScreen'),
  ),
  screen(
    '/filters/$filterId',
    lazyScreen(() => import('./filters/filter-screen.tsx'), 'FilterScreen'),
  ),
  screen(
    '/transfers',
    lazyScreen(() => import('./transfers/transfers-screen.tsx'), 'TransfersScreen'),
  ),
  screen(
    '/transfers/$transferId',
    lazyScreen(() => import('./transfers/transfer-screen.tsx'), 'TransferScreen'),
  ),
  screen(
    '/exports',
    lazyScreen(() => import('./exports/exports-screen.tsx'), 'ExportsScreen'),
  ),
  screen(
    '/deleted',
    lazyScreen(() => import('./deleted/deleted-screen.tsx'), 'DeletedScreen'),
  ),
  screen(
    '/emails',
    lazyScreen(() => import('./emails/emails-screen.tsx'), 'EmailsScreen'),
  ),
  screen(
    '/emails/$emailId',
    lazyScreen(() => import('./emails/email-screen.tsx'), 'EmailScreen'),
  ),
  screen(
    '/api-keys',
    lazyScreen(() => import('./api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  ),
  screen(
    '/suppressions',
    lazyScreen(() => import('./suppressions/suppressions-screen.tsx'), 'SuppressionsScreen'),
  ),
  screen(
    '/trace',
    lazyScreen(() => import('./trace/trace-screen.tsx'), 'TraceScreen'),
  ),
  screen(
    '/webhooks',
    lazyScreen(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
  ),
  screen(
    '/webhooks/$webhookId',
    lazyScreen(() => import('./webhooks/webhook-screen.tsx'), 'WebhookScreen'),
  ),
  screen(
    '/account',
    lazyScreen(() => import('./accounts/account-screen.tsx'), 'AccountScreen'),
  ),
  screen(
    '/billing',
    lazyScreen(() => import('./billing/billing-screen.tsx'), 'BillingScreen'),
  ),
  screen(
    '/billing/plans',
    lazyScreen(() => import('./billing/plans-screen.tsx'), 'PlansScreen'),
  ),
  screen(
    '/billing/return',
    lazyScreen(() => import('./billing/return-screen.tsx'), 'ReturnScreen'),
  ),
  screen(
    '/queue',
    lazyScreen(() => import('./queue/queue-screen.tsx'), 'QueueScreen'),
  ),
  screen(
    '/instance',
    lazyScreen(() => import('./instance/instance-screen.tsx'), 'InstanceScreen'),
  ),
  screen(
    '/instance/subscriptions',
    lazyScreen(() => import('./instance/subscriptions-screen.tsx'), 'SubscriptionsScreen'),
  ),
  screen(
    '/instance/accounts',
    lazyScreen(() => import('./instance/accounts/accounts-screen.tsx'), 'AccountsScreen'),
  ),
  screen(
    '/instance/accounts/$accountId',
    lazyScreen(() => import('./instance/accounts/account-detail-screen.tsx'), 'AccountDetailScreen'),
  ),
  screen(
    '/instance/health',
    lazyScreen(() => import('./instance/health/health-screen.tsx'), 'HealthScreen'),
  ),
  screen(
    '/instance/audit',
    lazyScreen(() => import('./instance/audit/audit-screen.tsx'), 'AuditScreen'),
  ),
  // Inside the frame, so that the navigation stays
  createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
]

const MailboxSignInScreen = lazyScreen(
  () => import('./webmail/sign-in/mailbox-sign-in-screen.tsx'),
  'MailboxSignInScreen',
)

const webmailSignIn = createRoute({
  getParentRoute: () => root,
  path: '/webmail/sign-in',
  component: () => <MailboxSignInScreen back={webmailSignIn.useSearch().back} />,
  validateSearch: readBack,
})

const webmail = createRoute({
  getParentRoute: () => root,
  path: '/webmail',
  component: lazyScreen(() => import('./webmail/webmail-shell.tsx'), 'WebmailShell'),
  beforeLoad: async ({ context: { queryClient }, location }) => {
    // Not one after the other: every screen asks for these
    void queryClient.prefetchQuery({ ...foldersQuery, staleTime: 'static' })
    void queryClient.prefetchQuery({ ...mailSettingsQuery, staleTime: 'static' })
    try {
      await queryClient.ensureQueryData(mailboxQuery)
    } catch (error) {
      if (!isSignedOut(error)) throw error
      throw redirect({ to: '/webmail/sign-in', search: backTo(location.href) })
    }
  },
})

const webmailHome = createRoute({
  getParentRoute: () => webmail,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/webmail/$place', params: { place: 'inbox' } })
  },
})

const webmailSettings = createRoute({
  getParentRoute: () => webmail,
  path: '/settings',
  component: lazyScreen(() => import('./webmail/settings/settings-screen.tsx'), 'WebmailSettingsScreen'),
})

// A folder stays on the screen while messages of it are opened: the message is a child without a screen of its own
const place = createRoute({
  getParentRoute: () => webmail,
  path: '/$place',
  component: lazyScreen(() => import('./webmail/mail-screen.tsx'), 'MailScreen'),
  // The loader does not block; the screen reports errors
  loader: ({ context, params, location }) => {
    askFirstRows(context.queryClient, params.place, location.search).catch(() => undefined)
  },
})
const opened = createRoute({ getParentRoute: () => place, path: '/$messageId', component: () => null })
const webmailNotFound = createRoute({
  getParentRoute: () => webmail,
  path: '$',
  component: () => <NotFound to="/webmail/inbox" label="Go to inbox" />,
})

const routeTree = root.addChildren([
  signUp,
  signIn,
  forgot,
  reset,
  verify,
  recover,
  shell.addChildren(panelRoutes),
  webmailSignIn,
  webmail.addChildren([webmailHome, webmailSettings, place.addChildren([opened]), webmailNotFound]),
])

/** The screens of panel and webmail below the path that the server gave them. */
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

/** Asks the service: what is cached may be of a session that has just ended. */
const isSignedIn = async (queryClient: QueryClient): Promise<boolean> => {
  try {
    await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
    return true
  } catch (error) {
    if (!isSignedOut(error)) throw error
    return false
  }
}

const ScreenError = ({ error, reset }: ErrorComponentProps) =>
  error instanceof ProblemError ? (
    <Crash title="Couldn't load this page" onRetry={reset}>
      {messageOf(error)}
    </Crash>
  ) : (
    <Crash onRetry={reset} />
  )

const Pending = () => (
  <div role="status" className="flex min-h-64 items-center justify-center text-faint">
    <Spinner className="size-5" />
    <span className="sr-only">Loading</span>
  </div>
)
