import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { PanelsTopLeft } from 'lucide-react'
import { useEffect } from 'react'
import { meQuery } from '../../queries.ts'
import { useLive } from '../../realtime/live.tsx'
import { Pending } from '../../screen-states.tsx'
import { settingsQuery } from '../../settings/queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { useEditWork } from '../edit-work.ts'
import { websiteQuery } from '../pages.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { noDrafts } from './drafts.ts'
import { designQuery } from './queries.ts'
import { type SiteData, SiteProvider } from './site-context.ts'
import { SiteEditor } from './site-editor.tsx'
import { isEntryPart } from './sources.ts'
import { useDrafts } from './use-drafts.ts'
import { useSaving } from './use-saving.ts'

/** What all pages of the website share, and its design, edited on a page. */
export const SiteScreen = () => {
  const { data: me } = useSuspenseQuery(meQuery)
  const website = useQuery({ ...websiteQuery, refetchOnMount: 'always' })
  const design = useQuery({ ...designQuery, refetchOnMount: 'always' })
  const settings = useQuery(settingsQuery)
  const types = useQuery(typesQuery)
  const failed = [website, design, settings, types].find(({ data, error }) => error !== null && data === undefined)
  const { stack } = useEditWork()
  useEffect(() => {
    // Steps requested before the site loaded are not done on a later visit
    if (failed) stack.stop()
  }, [stack, failed])
  if (failed)
    return (
      <Crash title="Couldn't load the site" onRetry={() => void failed.refetch()}>
        {messageOf(failed.error)}
      </Crash>
    )
  if (!website.data || !design.data || !settings.data || !types.data) return <Pending />
  // The cached data may be older than someone else's last save
  if (!website.isFetchedAfterMount || !design.isFetchedAfterMount) return <Pending />
  if (website.data.parts.length === 0 && design.data.surfaces.length === 0) return <NothingShared />
  return (
    <OpenedSite me={me} website={website.data} design={design.data} settings={settings.data} types={types.data.items} />
  )
}

const OpenedSite = (data: SiteData) => {
  const work = useDrafts(data.website, data.design)
  const saving = useSaving(work)
  const entries = data.website.parts.flatMap((part) => (isEntryPart(part) ? (part.state.entryId ?? []) : []))
  return (
    <SiteProvider value={{ ...data, work, saving }}>
      <title>Site · Stoa CMS</title>
      <Subscription topic="site" />
      {[...new Set(entries)].map((id) => (
        <Subscription key={id} topic={`entry:${id}`} />
      ))}
      {work.drafts === noDrafts ? <Pending /> : <SiteEditor />}
      <ConflictDialog />
    </SiteProvider>
  )
}

/** Parts show menus, settings and entries, which are read again when they change. */
const Subscription = ({ topic }: { topic: string }) => {
  const queryClient = useQueryClient()
  useLive(topic, () => void queryClient.invalidateQueries(websiteQuery))
  return null
}

const NothingShared = () => (
  <main className="flex min-h-dvh items-center justify-center">
    <title>Site · Stoa CMS</title>
    <EmptyState
      icon={<PanelsTopLeft />}
      title="Nothing to edit here yet"
      action={<LinkButton to="/">Go to dashboard</LinkButton>}
    >
      The website declares no shared parts, such as its header or footer, and no design options. Its developer can add
      them.
    </EmptyState>
  </main>
)
