import type { Session } from '@stoa/mail-model/accounts.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { formatCount } from '@stoa/ui/format.ts'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { describeUserAgent } from '@stoa/ui/user-agent.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { sessionsQuery } from '../queries.ts'
import { endOtherSessions } from './queries.ts'

const columns: readonly [Column<Session>, ...Column<Session>[]] = [
  {
    id: 'device',
    header: 'Device',
    cell: (session) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate">{describeUserAgent(session.user_agent)}</span>
        {session.current ? <Badge tone="live">This session</Badge> : null}
      </span>
    ),
  },
  { id: 'ip', header: 'Address', cell: (session) => session.ip ?? 'Unknown' },
  { id: 'created_at', header: 'Signed in', cell: (session) => <RelativeTime at={session.created_at} /> },
  { id: 'last_seen_at', header: 'Last seen', cell: (session) => <RelativeTime at={session.last_seen_at} /> },
]

/** Where one is signed in, with a way to end the rest. */
export const SessionsPanel = () => {
  const query = useQuery(sessionsQuery)
  const [ending, setEnding] = useState(false)
  const sessions = query.data?.data
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <h2 id="sessions" className="font-semibold text-base">
            Sessions
          </h2>
          <p className="text-muted text-sm">
            Where you are signed in. If you do not recognise one, end the others and change your password.
          </p>
        </div>
        {others > 0 ? <Button onClick={() => setEnding(true)}>End all others</Button> : null}
      </div>
      <DataTable
        label="Your sessions"
        columns={columns}
        state={listState({ data: sessions, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(session) => session.id}
        rowName={(session) => describeUserAgent(session.user_agent)}
        empty={<EmptyState icon={<MonitorSmartphone />} title="No sessions" />}
      />
      <EndOthers open={ending} onOpenChange={setEnding} />
    </section>
  )
}

const EndOthers = ({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) => {
  const queryClient = useQueryClient()
  const end = async () => {
    const { revoked } = await endOtherSessions()
    await queryClient.invalidateQueries(sessionsQuery)
    toast({ tone: 'success', title: `${formatCount(revoked, 'session has', 'sessions have')} ended` })
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="End all other sessions?"
      consequence="Every other device has to sign in again. You stay signed in here."
      confirmLabel="End all others"
      onConfirm={end}
    />
  )
}
