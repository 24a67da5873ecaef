import type { Me } from '@stoa/cms-model/accounts.ts'
import { Avatar } from '@stoa/ui/display/avatar.tsx'
import { Panel } from '@stoa/ui/display/panel.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { LinkButton } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useMemo } from 'react'
import { type ActivityGroup, groupActivity } from '../activity/groups.ts'
import { ActivitySentence } from '../activity/sentence.tsx'
import { recentActivityQuery } from './queries.ts'

const SHOWN = 8

/** The latest activity that this person may see. */
export const ActivityPanel = ({ me }: { me: Me }) => {
  const { data, error, refetch } = useQuery(recentActivityQuery)
  const groups = useMemo(() => data && groupActivity(data.items).slice(0, SHOWN), [data])
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
      {groups ? (
        <Groups me={me} groups={groups} />
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

const Groups = ({ me, groups }: { me: Me; groups: readonly ActivityGroup[] }) => {
  if (groups.length === 0)
    return (
      <EmptyState icon={<Activity />} title="No activity yet" className="py-8!">
        Changes by people and programs will show up here.
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line">
      {groups.map((group) => (
        <li key={group.id} className="flex items-start gap-3 px-5 py-2.5 text-sm">
          <Avatar name={group.actor.name} person={group.actor.id} size="sm" />
          <div className="min-w-0 flex-1">
            <ActivitySentence me={me} group={group} you="You" />
          </div>
          <RelativeTime at={group.at} className="shrink-0 text-faint text-xs leading-5" />
        </li>
      ))}
    </ul>
  )
}
