import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, TriangleAlert } from 'lucide-react'
import { NetworkMark } from '../network-mark.tsx'
import { APPS_PATH, appPath } from '../paths.ts'
import { appsQuery } from '../queries.ts'
import { SocialFrame } from '../social-frame.tsx'
import type { SocialApp } from '../wire.ts'
import { sourceWords } from './app-values.ts'
import { useReady } from './use-ready.ts'

/** The app that each network needs before accounts can be connected. */
export const AppsScreen = () => {
  const query = useQuery(appsQuery)
  return (
    <SocialFrame current={APPS_PATH}>
      <p className="max-w-prose pb-4 text-muted text-sm">
        Each network needs an app that you register once in its console. Choose a network for the steps.
      </p>
      <QueryBoundary query={query} name="The settings">
        {({ items }) => (
          <ul className="grid min-w-0 gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {items.map((app) => (
              <AppCard key={app.network} app={app} />
            ))}
          </ul>
        )}
      </QueryBoundary>
    </SocialFrame>
  )
}

const AppCard = ({ app }: { app: SocialApp }) => (
  <li className="min-w-0">
    <AppLink
      to={appPath(app.network)}
      className="flex min-w-0 items-center gap-3 rounded-xl border border-line bg-surface p-4 shadow-sm transition-colors hover:border-line-strong hover:bg-hover"
    >
      <NetworkMark network={app.network} size="lg" />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="truncate font-medium text-ink text-sm">{app.label}</span>
        <AppState app={app} />
      </span>
      {app.warnings.length > 0 ? (
        <TriangleAlert aria-label="Has warnings" className="size-4 shrink-0 text-draft-mark" />
      ) : null}
      <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
    </AppLink>
  </li>
)

export const AppState = ({ app }: { app: SocialApp }) => {
  const isReady = useReady(app.network)
  if (app.source === 'none') return <Status tone="neutral">Not set up</Status>
  return (
    <span className="flex flex-wrap items-center gap-2">
      {isReady === undefined ? null : isReady ? (
        <Status tone="live">Ready</Status>
      ) : (
        <Status tone="draft">{app.enabled ? 'Incomplete' : 'Off'}</Status>
      )}
      <Badge>{sourceWords[app.source]}</Badge>
    </span>
  )
}
