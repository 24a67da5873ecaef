import { visualOf } from '@stoa/cms-model/visual.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { LinkButton, useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { FileQuestion, PanelsTopLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { hasCode } from '../api.ts'
import { Editing } from '../entries/editor/editing.tsx'
import { entryQuery } from '../entries/queries.ts'
import { meQuery } from '../queries.ts'
import { Pending } from '../screen-states.tsx'
import { settingsQuery } from '../settings/queries.ts'
import { typesQuery } from '../types/queries.ts'
import { pageKey } from '../undo-sources.ts'
import { useEditWork } from './edit-work.ts'
import { PageEditor } from './page-editor.tsx'
import { visualQuery } from './pages.ts'

/** One entry on its page of the website. */
export const EditScreen = ({ id }: { id: string }) => <OpenedPage key={id} id={id} />

const OpenedPage = ({ id }: { id: string }) => {
  const navigateTo = useNavigateTo()
  const { data: me } = useSuspenseQuery(meQuery)
  const types = useQuery(typesQuery)
  const settings = useQuery(settingsQuery)
  const visual = useQuery(visualQuery)
  // The cached entry may be older than someone else's last save
  const entry = useQuery({ ...entryQuery(id), refetchOnMount: 'always' })
  const failed = [types, settings, visual, entry].find(({ error }) => error !== null)
  const { stack, setLastPage } = useEditWork()
  const isGone = hasCode(entry.error, 'NOT_FOUND')
  useEffect(() => setLastPage(id), [setLastPage, id])
  useEffect(() => {
    // Steps requested before the page loaded are not done on a later visit
    if (isGone) stack.forget(pageKey(id))
    else if (failed) stack.stop()
  }, [stack, id, isGone, failed])
  if (isGone) return <NoPage icon={<FileQuestion />} title="Entry not found" to="/" />
  if (failed)
    return (
      <Crash title="Couldn't load this page" onRetry={() => void failed.refetch()}>
        {messageOf(failed.error)}
      </Crash>
    )
  if (!types.data || !settings.data || !visual.data || !entry.data || !entry.isFetchedAfterMount) return <Pending />
  const type = types.data.items.find(({ name }) => name === entry.data.type)
  const definition = visualOf(visual.data.types, entry.data.type)
  const fields = `/content/${entry.data.type}/${id}`
  if (!type) return <NoPage icon={<FileQuestion />} title="Entry not found" to="/" />
  if (!definition || type.previewUrl === null)
    return (
      <NoPage icon={<PanelsTopLeft />} title="This page can't be edited visually" to={fields}>
        {definition
          ? `The content type “${type.label}” has no preview URL, so its pages can't be found on the website.`
          : `The website doesn't declare what can be edited on its “${type.label}” pages.`}
      </NoPage>
    )
  return (
    <Editing
      type={type}
      me={me}
      settings={settings.data}
      entry={entry.data}
      latest={entry.data}
      onCreated={() => undefined}
      publishIn="header"
      showHistory={() => navigateTo(`${fields}?tab=history`)}
    >
      {(recovery) => <PageEditor definition={definition} recovery={recovery} />}
    </Editing>
  )
}

type NoPageProps = { icon: ReactNode; title: string; to: string; children?: ReactNode }

const NoPage = ({ icon, title, to, children }: NoPageProps) => (
  <main className="flex min-h-dvh items-center justify-center">
    <title>{`${title} · Stoa CMS`}</title>
    <EmptyState
      icon={icon}
      title={title}
      action={<LinkButton to={to}>{to === '/' ? 'Go to dashboard' : 'Edit in fields'}</LinkButton>}
    >
      {children}
    </EmptyState>
  </main>
)
