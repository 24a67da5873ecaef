import type { Session } from '@stoa/mail-model/accounts.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { formatCount } from '@stoa/ui/format.ts'
import { ListSection } from '@stoa/ui/list-section.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { describeUserAgent } from '@stoa/ui/user-agent.ts'
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
  /** What the browsers are signed in to: "this panel". */
  place: string
  query: { data: List<Session> | undefined; error: Error | null; refetch: () => unknown }
  /** What ending the others means here. */
  consequence: string
  /** Ends all but this one, has the list read again, and says how many they were. */
  onEndOthers: () => Promise<number>
}

/** Where one is signed in, with a way to end the rest. */
export const SessionsList = ({ place, query, consequence, onEndOthers }: SessionsListProps) => {
  const [ending, setEnding] = useState(false)
  const sessions = query.data?.data
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <ListSection
      title="Active sessions"
      description={`Browsers signed in to ${place}. If you don't recognise one, sign out everywhere else and change your password.`}
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
