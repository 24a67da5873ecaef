import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Crash } from '@stoa/ui/feedback/error-boundary.tsx'
import { Skeleton } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import { hasCode } from '../../api.ts'
import { meQuery } from '../../queries.ts'
import { editorRegistry } from '../../registry/editor.tsx'
import { settingsQuery } from '../../settings/queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { entryQuery } from '../queries.ts'
import { Editor } from './editor.tsx'

const NEW = 'new'

type EntryParams = { type: string; id: string }

/** One entry; the id `new` begins one. */
export const EntryScreen = ({ type, id }: EntryParams) => {
  const { visit, keep } = useVisit({ type, id })
  usePanelsAhead()
  return <OpenedEntry key={visit} type={type} id={id} onCreated={keep} />
}

/** The code of the panels comes while the service is asked for the entry. */
const usePanelsAhead = (): void => {
  useEffect(() => {
    for (const panel of editorRegistry.entryPanels) if ('Component' in panel) void panel.Component.preload?.()
  }, [])
}

/** A new entry gets its id while someone types in it: the address changes, the visit goes on. */
const useVisit = ({ type, id }: EntryParams) => {
  const [opened, setOpened] = useState({ visit: 0, type, id, made: '' })
  const isElsewhere = opened.type !== type || opened.id !== id
  const goesOn = isElsewhere && opened.type === type && opened.made === id
  const now = isElsewhere ? { visit: goesOn ? opened.visit : opened.visit + 1, type, id, made: '' } : opened
  if (isElsewhere) setOpened(now)
  return { visit: now.visit, keep: (made: string) => setOpened((before) => ({ ...before, made })) }
}

const OpenedEntry = ({ type: name, id, onCreated }: EntryParams & { onCreated: (id: string) => void }) => {
  const navigate = useNavigate()
  const [beganNew] = useState(id === NEW)
  const { data: me } = useSuspenseQuery(meQuery)
  const types = useQuery(typesQuery)
  const settings = useQuery(settingsQuery)
  // The cached entry may be older than someone else's last save
  const entry = useQuery({ ...entryQuery(id), enabled: id !== NEW, refetchOnMount: 'always' })
  const type = types.data?.items.find((candidate) => candidate.name === name)
  const isThere = beganNew || (entry.data && entry.isFetchedAfterMount)
  // An address that was made by hand, or by something that knew only the id
  if (entry.data && entry.data.type !== name) return <Navigate to={`/content/${entry.data.type}/${id}`} replace />
  if (type && settings.data && isThere)
    return (
      <Editor
        type={type}
        me={me}
        settings={settings.data}
        entry={beganNew ? null : (entry.data ?? null)}
        latest={entry.data}
        onCreated={(made) => {
          onCreated(made)
          void navigate({ to: `/content/${name}/${made}`, replace: true, ignoreBlocker: true })
        }}
      />
    )
  if ((types.data && !type) || hasCode(entry.error, 'NOT_FOUND')) return <NoEntry />
  const failed = [types, settings, entry].find(({ error }) => error !== null)
  if (!failed) return <EditorSkeleton />
  return (
    <Crash title="Couldn't load this entry" onRetry={() => void failed.refetch()}>
      {messageOf(failed.error)}
    </Crash>
  )
}

const NoEntry = () => (
  <>
    <title>Not found · Stoa CMS</title>
    <EmptyState
      icon={<FileQuestion />}
      title="Entry not found"
      action={<LinkButton to="/">Go to dashboard</LinkButton>}
    >
      It may have been permanently deleted, or its content type was.
    </EmptyState>
  </>
)

const EditorSkeleton = () => (
  <div role="status" className="flex flex-col gap-6">
    <span className="sr-only">Loading</span>
    <Skeleton className="h-8 w-full" />
    <div className="mx-auto flex w-full max-w-measure flex-col gap-6">
      <Skeleton className="h-10 w-2/3" />
      {['a', 'b', 'c'].map((row) => (
        <Skeleton key={row} className="h-16 w-full" />
      ))}
    </div>
  </div>
)
