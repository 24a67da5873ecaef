import type { Me } from '@stoa/cms-model/accounts.ts'
import type { EntryItem } from '@stoa/cms-model/entries.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { AppLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Webhook as WebhookIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../allowed.tsx'
import { entryPath } from '../content-path.ts'
import { entriesQuery } from '../entries/queries.ts'
import { TypeIcon } from '../type-icon.tsx'
import { typesQuery } from '../types/queries.ts'
import { webhooksQuery } from '../webhooks/queries.ts'
import { bySchedule, failingWebhooks, nextTime } from './needs.ts'
import { failedSchedulesQuery } from './queries.ts'

const SHOWN = 5
/** The service cannot sort by the time: so many are looked at for the soonest. */
const SCHEDULED_LOOKED_AT = 50
/** Those that are scheduled are among them, and are shown as such. */
const DRAFTS_LOOKED_AT = 25

/** What waits for this person. */
export const NeedsPanel = ({ me }: { me: Me }) => {
  const needs = useNeeds(me)
  return (
    <Panel title="Needs attention" flush>
      {needs.error ? (
        <ListError message={messageOf(needs.error)} onRetry={needs.retry} />
      ) : !needs.ready ? (
        <div className="p-5">
          <SkeletonText lines={5} />
        </div>
      ) : needs.isEmpty ? (
        <EmptyState icon={<CircleCheck />} title="You're all caught up" className="py-8!">
          No drafts, nothing scheduled, no failures
        </EmptyState>
      ) : (
        <div className="divide-y divide-line">
          <Needs {...needs} />
        </div>
      )}
    </Panel>
  )
}

/** Those who may publish look after all that is scheduled or changed; the others after their own. */
const useNeeds = (me: Me) => {
  const publishes = may(me, 'content.publish')
  const drafts = useQuery(entriesQuery({ status: 'draft', author: 'me', limit: DRAFTS_LOOKED_AT }))
  const scheduled = useQuery(
    entriesQuery({ status: 'scheduled', limit: SCHEDULED_LOOKED_AT, ...(publishes ? {} : { author: 'me' }) }),
  )
  const pending = useQuery({ ...entriesQuery({ status: 'pending', limit: SHOWN + 1 }), enabled: publishes })
  const failed = useQuery({ ...failedSchedulesQuery, enabled: publishes })
  const webhooks = useQuery({ ...webhooksQuery, enabled: may(me, 'webhooks.manage') })
  const asked = [drafts, scheduled, ...(publishes ? [pending, failed] : []), ...(webhooks.isEnabled ? [webhooks] : [])]
  const failing = failingWebhooks(webhooks.data?.items ?? [])
  const lists = {
    failed: failed.data ?? [],
    failing,
    // Each entry once: what failed or is scheduled is shown as such
    drafts: (drafts.data?.items ?? []).filter(
      ({ id, publishAt }) => publishAt === null && !failed.data?.some((other) => other.id === id),
    ),
    scheduled: bySchedule(scheduled.data?.items ?? []),
    pending: pending.data?.items ?? [],
  }
  return {
    ...lists,
    ready: asked.every(({ data }) => data !== undefined),
    isEmpty: Object.values(lists).every((list) => list.length === 0),
    error: asked.find(({ data, error }) => error !== null && data === undefined)?.error,
    retry: () => {
      for (const query of asked) if (query.error) void query.refetch()
    },
  }
}

const Needs = ({ failed, failing, drafts, scheduled, pending }: ReturnType<typeof useNeeds>) => (
  <>
    <Group title="Not published on time" of={failed}>
      {(entry) => (
        <EntryLine key={entry.id} entry={entry} note={<Status tone="failed">Required fields are missing</Status>} />
      )}
    </Group>
    <Group title="Failing webhooks" of={failing}>
      {(webhook) => (
        <Line
          key={webhook.id}
          to={`/webhooks/${webhook.id}`}
          icon={<WebhookIcon aria-hidden />}
          title={webhook.name}
          note={<Status tone="failed">{webhook.enabled ? 'The last delivery failed' : 'Off after failures'}</Status>}
        />
      )}
    </Group>
    <Group title="Your drafts" cut="the latest" of={drafts}>
      {(entry) => <EntryLine key={entry.id} entry={entry} note={<RelativeTime at={entry.updatedAt} />} />}
    </Group>
    <Group title="Scheduled" cut="the next" of={scheduled}>
      {(entry) => <EntryLine key={entry.id} entry={entry} note={<ScheduleNote entry={entry} />} />}
    </Group>
    <Group title="Unpublished changes" cut="the latest" of={pending}>
      {(entry) => <EntryLine key={entry.id} entry={entry} note={<PendingNote entry={entry} />} />}
    </Group>
  </>
)

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

const ScheduleNote = ({ entry }: { entry: EntryItem }) => {
  const at = nextTime(entry)
  if (at === undefined) return null
  return (
    <span>
      {at === entry.publishAt ? 'Goes live ' : 'Ends '}
      <RelativeTime at={at} />
    </span>
  )
}

const PendingNote = ({ entry }: { entry: EntryItem }) => (
  <span className="truncate">
    {entry.updatedBy ? `${entry.updatedBy.name}, ` : ''}
    <RelativeTime at={entry.updatedAt} />
  </span>
)

const EntryLine = ({ entry, note }: { entry: EntryItem; note: ReactNode }) => {
  const { data: types } = useQuery(typesQuery)
  const type = types?.items.find(({ name }) => name === entry.type)
  return (
    <Line
      to={entryPath(entry)}
      icon={<TypeIcon type={type ?? { icon: '', kind: 'collection' }} />}
      title={entry.title === '' ? 'Untitled' : entry.title}
      note={note}
    />
  )
}

type LineProps = { to: string; icon: ReactNode; title: string; note: ReactNode }

const Line = ({ to, icon, title, note }: LineProps) => (
  <li>
    <AppLink
      to={to}
      className="flex min-h-9 items-center gap-2.5 px-5 py-1 text-ink text-sm outline-offset-[-2px] hover:bg-hover touch:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{title}</span>
      <span className="max-w-1/2 shrink-0 truncate text-muted text-xs">{note}</span>
    </AppLink>
  </li>
)
