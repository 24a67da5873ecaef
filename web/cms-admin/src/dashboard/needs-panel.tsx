import type { Dashboard, EntryCard } from '@stoa/cms-model/dashboard.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { entryPath } from '../content-path.ts'
import { MediaThumb } from '../media/media-thumb.tsx'
import { TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { needsOf, nextTime } from './needs.ts'
import { dashboardQuery } from './queries.ts'

const SHOWN = 5

/** Tasks that wait for this person. */
export const NeedsPanel = () => {
  const { data, error, refetch } = useQuery(dashboardQuery)
  return (
    <Panel title="Needs attention" flush>
      {data ? (
        <Needs dashboard={data} />
      ) : error ? (
        <ListError message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="p-5">
          <SkeletonText lines={5} />
        </div>
      )}
    </Panel>
  )
}

const Needs = ({ dashboard }: { dashboard: Dashboard }) => {
  const needs = needsOf(dashboard)
  if (Object.values(needs).every((list) => list.length === 0))
    return (
      <EmptyState drawing="done" title="You're all caught up" className="py-8!">
        No drafts, nothing scheduled, no failures
      </EmptyState>
    )
  return (
    <div className="divide-y divide-line">
      <Group title="Not published on time" of={needs.failed}>
        {(entry) => (
          <EntryLine key={entry.id} entry={entry} note={<Status tone="failed">Required fields are missing</Status>} />
        )}
      </Group>
      <Group title="Failing webhooks" of={needs.webhooks}>
        {(webhook) => (
          <Line
            key={webhook.id}
            to={`/webhooks/${webhook.id}`}
            picture={<WebhookIcon aria-hidden />}
            title={webhook.name}
            note={<Status tone="failed">{webhook.enabled ? 'The last delivery failed' : 'Off after failures'}</Status>}
          />
        )}
      </Group>
      <Group title="Your drafts" cut="the latest" of={needs.drafts}>
        {(entry) => <EntryLine key={entry.id} entry={entry} note={<RelativeTime at={entry.updatedAt} />} />}
      </Group>
      <Group title="Scheduled" cut="the next" of={needs.scheduled}>
        {(entry) => <EntryLine key={entry.id} entry={entry} note={<ScheduleNote entry={entry} />} />}
      </Group>
      <Group title="Unpublished changes" cut="the latest" of={needs.pending}>
        {(entry) => <EntryLine key={entry.id} entry={entry} note={<PendingNote entry={entry} />} />}
      </Group>
    </div>
  )
}

type GroupProps<T> = { title: string; of: readonly T[]; cut?: string; children: (thing: T) => ReactNode }

const Group = <T,>({ title, of, cut = 'the first', children }: GroupProps<T>) =>
  of.length === 0 ? null : (
    <section aria-label={title} className="py-2">
      <h3 className="px-5 pt-1 pb-0.5 font-medium text-faint text-xs">
        {title}
        {of.length > SHOWN ? `, ${cut} ${SHOWN}` : ''}
      </h3>
      <ul>{of.slice(0, SHOWN).map(children)}</ul>
    </section>
  )

const ScheduleNote = ({ entry }: { entry: EntryCard }) => {
  const at = nextTime(entry)
  if (at === undefined) return null
  return (
    <span>
      {at === entry.publishAt ? 'Goes live ' : 'Unpublishes '}
      <RelativeTime at={at} />
    </span>
  )
}

const PendingNote = ({ entry }: { entry: EntryCard }) => (
  <span className="truncate">
    {entry.updatedBy ? `${entry.updatedBy.name}, ` : ''}
    <RelativeTime at={entry.updatedAt} />
  </span>
)

const EntryLine = ({ entry, note }: { entry: EntryCard; note: ReactNode }) => {
  const { data: types } = useQuery(typesQuery)
  const type = types?.items.find(({ name }) => name === entry.type)
  return (
    <Line
      to={entryPath(entry)}
      picture={
        entry.cover ? (
          <MediaThumb media={entry.cover} size="xs" fills />
        ) : (
          <TypeIcon type={type ?? { icon: '', kind: 'collection' }} />
        )
      }
      title={entry.title === '' ? 'Untitled' : entry.title}
      note={note}
    />
  )
}

type LineProps = { to: string; picture: ReactNode; title: string; note: ReactNode }

const Line = ({ to, picture, title, note }: LineProps) => (
  <li>
    <AppLink
      to={to}
      className="flex min-h-9 items-center gap-2.5 px-5 py-1 text-ink text-sm outline-offset-[-2px] hover:bg-hover touch:min-h-11"
    >
      <span className="flex size-6 shrink-0 items-center justify-center text-faint [&>svg]:size-4">{picture}</span>
      <span className="min-w-0 flex-1 truncate">{title}</span>
      <span className="max-w-1/2 shrink-0 truncate text-muted text-xs">{note}</span>
    </AppLink>
  </li>
)
