import type { EntryItem } from '@stoa/cms-model/entries.ts'
import type { VisualSection } from '@stoa/cms-model/visual.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Drawer } from '@stoa/ui/layer/drawer.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError, NothingMatches } from '@stoa/ui/table/table-parts.tsx'
import { UrlSearch } from '@stoa/ui/table/url-search.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Library } from 'lucide-react'
import { useState } from 'react'
import { may } from '../allowed.tsx'
import { entryPath } from '../content-path.ts'
import { useEditor } from '../entries/editor/editor-context.ts'
import { entryPagesQuery } from '../entries/queries.ts'
import { StatusChips } from '../entries/status.tsx'
import { NewTabLink } from '../fields/new-tab-link.tsx'
import { CreateLink } from '../fields/reference/create-link.tsx'
import { pagePath, useHasPages } from './pages.ts'

type Collection = NonNullable<VisualSection['collection']>

/** The entries that a section shows: each is edited on its page, or in its fields beside this page, which stays. */
export const CollectionDrawer = ({ collection, onClose }: { collection: Collection; onClose: () => void }) => {
  const { me } = useEditor()
  const { type, label } = collection
  const [q, setQ] = useState('')
  const query = useInfiniteQuery(entryPagesQuery({ type, q: q.trim(), sort: q.trim() === '' ? '-updatedAt' : 'title' }))
  const entries = query.data?.pages.flatMap(({ items }) => items)
  const create = may(me, 'content.write') ? <CreateLink type={type} /> : null
  return (
    <Drawer label={label} onClose={onClose}>
      <div className="mb-3 flex items-center gap-2">
        <UrlSearch label={`Search ${label.toLowerCase()}`} value={q} onSearch={setQ} />
        <span className="ml-auto">{create}</span>
      </div>
      {query.error && !entries ? (
        <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
      ) : !entries ? (
        <SkeletonText lines={6} label={`Loading ${label.toLowerCase()}`} />
      ) : entries.length > 0 ? (
        <ul className="flex flex-col divide-y divide-line">
          {entries.map((entry) => (
            <EntryLine key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : q.trim() === '' ? (
        <EmptyState icon={<Library />} title={`No ${label.toLowerCase()} yet`} />
      ) : (
        <NothingMatches onClear={() => setQ('')} />
      )}
      {query.hasNextPage ? (
        <Button
          className="mt-3 self-center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </Drawer>
  )
}

const EntryLine = ({ entry }: { entry: EntryItem }) => {
  const { state } = useEditor()
  const hasPage = useHasPages()(entry.type)
  const title = entry.title || 'Untitled'
  const isHere = entry.id === state.entry?.id
  const words = <span className="min-w-0 truncate">{title}</span>
  return (
    <li className="flex min-h-11 items-center gap-2 py-1.5 text-sm">
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        {hasPage && !isHere ? (
          <AppLink
            to={pagePath(entry.id)}
            aria-label={`Edit ${title} on the page`}
            className="flex min-w-0 rounded-sm font-medium text-ink hover:underline"
          >
            {words}
          </AppLink>
        ) : (
          words
        )}
        {isHere ? <Badge tone="accent">This page</Badge> : <StatusChips entry={entry} />}
      </span>
      {isHere ? null : <NewTabLink to={entryPath(entry)} label={`Edit the fields of ${title}`} />}
    </li>
  )
}
