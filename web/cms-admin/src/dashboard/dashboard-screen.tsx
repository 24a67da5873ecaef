import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { PageHeader } from '@stoa/ui/shell/page-header.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { meQuery } from '../queries.ts'
import { settingsQuery } from '../settings/queries.ts'

// The frame is there at once; the panels are no part of it
const DashboardPanels = lazyPart(() => import('./dashboard-panels.tsx'), 'DashboardPanels')

/** The first screen. */
export const DashboardScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: settings } = useQuery(settingsQuery)
  return (
    <>
      <title>Dashboard · Stoa CMS</title>
      <PageHeader
        title="Dashboard"
        description={settings?.title ? `${settings.title}. Signed in as ${me.name}.` : `Signed in as ${me.name}.`}
      />
      <Suspense fallback={<SkeletonText lines={8} />}>
        <DashboardPanels me={me} />
      </Suspense>
    </>
  )
}
