import type { Session } from '@stoa/mail-model/accounts.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { describeUserAgent } from '@stoa/ui/text/user-agent.ts'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'

const columns: readonly [Column<Session>, ...Column<Session>[]] = [
  {
    id: 'device',
    header: 'Browser',
    cell: (session) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate">{describeUserAgent(session.user_agent)}</span>
        {session.current ? <Badge tone="live">This browser</Badge> : null}
      </span>
    ),
  },
  { id: 'ip', header: 'IP address', cell: (session) => session.ip ?? 'Unknown' },
  { id: 'created_at', header: 'Signed in', cell: (session) => <RelativeTime at={session.created_at} /> },
  { id: 'last_seen_at', header: 'Last seen', cell: (session) => <RelativeTime at={session.last_seen_at} /> },
]

type SessionsListProps = {
  /** The target of the sign-in: "your account". */
  place: string
  query: { data: List<Session> | undefined; error: Error | null; refetch: () => unknown }
  /** The consequence of ending the other sessions. */
  consequence: string
  /** Ends all but this one, has the list read again, and says how many they were. */
  onEndOthers: () => Promise<number>
}

/** The person's active sessions, with a way to end the others. */
export const SessionsList = ({ place, query, consequence, onEndOthers }: SessionsListProps) => {
  const [ending, setEnding] = useState(false)
  const sessions = query.data?.data
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <ListSection
      title="Active sessions"
      description={`Browsers signed in to ${place}. If you don't recognize one, sign out everywhere else and change your password.`}
      actions={others > 0 ? <Button onClick={() => setEnding(true)}>Sign out everywhere else</Button> : undefined}
    >
      <DataTable
        label="Active sessions"
        columns={columns}
        state={listState({ data: sessions, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(session) => session.id}
        rowName={(session) => describeUserAgent(session.user_agent)}
        empty={<EmptyState icon={<MonitorSmartphone />} title="No sessions" />}
      />
      <ConfirmDialog
        open={ending}
        onOpenChange={setEnding}
        title="Sign out everywhere else?"
        consequence={consequence}
        confirmLabel="Sign out everywhere else"
        onConfirm={async () => {
          const ended = await onEndOthers()
          toast({ tone: 'success', title: `${formatCount(ended, 'browser', 'browsers')} signed out` })
        }}
      />
    </ListSection>
  )
}
