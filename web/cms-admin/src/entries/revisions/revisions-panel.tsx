import type { Entry, RevisionItem } from '@stoa/cms-model/entries.ts'
import type { List } from '@stoa/cms-model/lists.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { meQuery } from '../../queries.ts'
import { typesQuery } from '../../types/queries.ts'
import { revisionQuery, revisionsQuery } from '../queries.ts'
import { rightsOn } from '../rights.ts'
import { RevisionCompare } from './revision-compare.tsx'
import { RevisionList } from './revision-list.tsx'

type RevisionsPanelProps = {
  entry: Entry
  /** The entry as it is after a revision was restored, or after someone else's version was loaded in its place. */
  onRestored: (entry: Entry) => void
  /** Why nothing may be restored at the moment, such as changes that are not saved. */
  frozen?: string | undefined
}

/** The history of an entry: who changed what, any two versions side by side, and the way back. Its state is in the address. */
export const RevisionsPanel = (props: RevisionsPanelProps) => {
  const { entry } = props
  const url = useUrlState()
  const query = useQuery(revisionsQuery(entry.id, readPage(url.get('history'))))
  if (query.isError && !query.data)
    return <ListError message={messageOf(query.error)} onRetry={() => void query.refetch()} />
  if (!query.data) return <SkeletonText lines={8} label="Loading history" />
  if (query.data.meta.total === 0)
    return (
      <EmptyState icon={<History />} title="No history yet">
        Every save shows up here, so you can compare and restore it.
      </EmptyState>
    )
  return <Versions {...props} revisions={query.data} />
}

const Versions = ({
  entry,
  onRestored,
  frozen,
  revisions,
}: RevisionsPanelProps & { revisions: List<RevisionItem> }) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data: types } = useQuery(typesQuery)
  const url = useUrlState()
  const { items } = revisions
  // The displayed revision stays the same while others save
  const [first] = useState(() => (items.find(({ version }) => version < entry.version) ?? items[0])?.id ?? '')
  const revision = useRevision(entry.id, url.get('revision') || first, items)
  const other = useRevision(entry.id, url.get('against'), items)
  const fields = types?.items.find(({ name }) => name === entry.type)?.fields ?? []
  const rights = rightsOn(me, entry)
  const mayRestore = entry.deletedAt === null && rights.edit
  return (
    <div className="@container min-w-0">
      <div className="grid min-w-0 @prose:grid-cols-[minmax(0,17rem)_minmax(0,1fr)] gap-5">
        <RevisionList
          entry={entry}
          revisions={revisions}
          fields={fields}
          chosen={revision?.id}
          onChoose={(id) => url.set({ revision: id })}
          onPage={(page) => url.set({ history: page === 1 ? '' : String(page), revision: revision?.id ?? '' })}
        />
        {revision ? (
          <RevisionCompare
            key={revision.id}
            entry={entry}
            revision={revision}
            other={other?.id === revision.id ? undefined : other}
            choices={items}
            onOther={(id) => url.set({ against: id })}
            fields={fields}
            frozen={mayRestore ? frozen : 'You can view this history, but not restore from it.'}
            mayPublish={rights.publish}
            onRestored={onRestored}
          />
        ) : null}
      </div>
    </div>
  )
}

/** A revision by its id, which may be on another page of the history; undefined without one. */
const useRevision = (entryId: string, id: string, items: readonly RevisionItem[]): RevisionItem | undefined => {
  const found = items.find((item) => item.id === id)
  const { data } = useQuery({ ...revisionQuery(entryId, id), enabled: id !== '' && found === undefined })
  return found ?? data
}
