import type { Me } from '@stoa/cms-model/accounts.ts'
import type { ActivityRecord } from '@stoa/cms-model/activity.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton, TextLink } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { kindOf, targetScreen, verbOf } from '../activity/words.ts'
import { may } from '../allowed.tsx'
import { recentActivityQuery } from './queries.ts'

/** What happened last, as far as this person may know. */
export const RecentPanel = ({ me }: { me: Me }) => {
  const { data, error, refetch } = useQuery(recentActivityQuery)
  return (
    <Panel
      title="Recent activity"
      flush
      actions={
        <LinkButton to="/activity" size="sm" variant="ghost" className="-my-1">
          All activity
        </LinkButton>
      }
    >
      {data ? (
        <Records me={me} records={data.items} />
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

const Records = ({ me, records }: { me: Me; records: readonly ActivityRecord[] }) => {
  if (records.length === 0)
    return (
      <EmptyState icon={<Activity />} title="No activity yet" className="py-8!">
        Changes by people and programs will show up here.
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line">
      {records.map((record) => (
        <li key={record.id} className="flex items-baseline gap-3 px-5 py-2 text-sm">
          <Avatar name={record.actor.name} person={record.actor.id} size="sm" />
          <Sentence me={me} record={record} />
          <RelativeTime at={record.at} className="shrink-0 text-faint text-xs" />
        </li>
      ))}
    </ul>
  )
}

const Sentence = ({ me, record: { actor, action, target } }: { me: Me; record: ActivityRecord }) => {
  const screen = targetScreen(target, action)
  const to = screen && may(me, screen.permission) ? screen.to : undefined
  const label = target.label === '' || target.kind === 'settings' || target.kind === 'trash' ? '' : `“${target.label}”`
  return (
    <span className="min-w-0 flex-1 break-words">
      <span className="font-medium">{actor.id === me.id ? 'You' : actor.name}</span>{' '}
      <span className="text-muted">
        {verbOf(action)} {kindOf(target.kind)}
      </span>{' '}
      {label === '' ? null : to === undefined ? label : <TextLink to={to}>{label}</TextLink>}
    </span>
  )
}
