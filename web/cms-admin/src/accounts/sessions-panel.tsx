import type { Session } from '@stoa/cms-model/accounts.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { describeUserAgent } from '@stoa/ui/text/user-agent.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { api } from '../api.ts'
import { sessionsQuery } from '../queries.ts'

const columns: readonly [Column<Session>, ...Column<Session>[]] = [
  {
    id: 'device',
    header: 'Device',
    cell: (session) => (
      <span className="inline-flex max-w-full items-center gap-2">
        <span className="truncate">{describeUserAgent(session.userAgent)}</span>
        {session.current ? <Badge tone="live">This device</Badge> : null}
      </span>
    ),
  },
  { id: 'ip', header: 'IP address', cell: (session) => session.ip },
  { id: 'createdAt', header: 'Signed in', cell: (session) => <RelativeTime at={session.createdAt} /> },
  { id: 'lastSeenAt', header: 'Last active', cell: (session) => <RelativeTime at={session.lastSeenAt} /> },
]

/** The person's active sessions, with a way to end each. */
export const SessionsPanel = () => {
  const query = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<Session | 'others'>()
  const sessions = query.data?.items
  const others = sessions?.filter((session) => !session.current).length ?? 0
  return (
    <section aria-labelledby="sessions" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <h2 id="sessions" className="font-semibold text-md">
            Sessions
          </h2>
          <p className="text-muted text-sm">Devices where you're signed in. Sign out any you don't recognize.</p>
        </div>
        {others > 0 ? <Button onClick={() => setEnding('others')}>Sign out all others</Button> : null}
      </div>
      <DataTable
        label="Your sessions"
        columns={columns}
        state={listState({ data: sessions, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(session) => session.id}
        rowName={(session) => describeUserAgent(session.userAgent)}
        rowActions={(session) =>
          session.current ? [] : [{ label: 'Sign out', icon: <LogOut />, danger: true, onRun: setEnding }]
        }
        empty={<EmptyState icon={<MonitorSmartphone />} title="No sessions" />}
      />
      <EndSession ending={ending} onClose={() => setEnding(undefined)} />
    </section>
  )
}

const EndSession = ({ ending, onClose }: { ending: Session | 'others' | undefined; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const others = ending === 'others'
  const device = ending && ending !== 'others' ? describeUserAgent(ending.userAgent) : ''
  const end = async () => {
    if (ending === undefined) return
    await (ending === 'others' ? api.endOtherSessions() : api.endSession(ending.id))
    await queryClient.invalidateQueries(sessionsQuery)
    toast({ tone: 'success', title: others ? 'Signed out on all other devices' : 'Device signed out' })
  }
  return (
    <ConfirmDialog
      open={ending !== undefined}
      onOpenChange={onClose}
      title={others ? 'Sign out all other devices?' : `Sign out “${device}”?`}
      consequence={
        others
          ? "You'll need to sign in again on every other device. You stay signed in here."
          : "You'll need to sign in again on that device."
      }
      confirmLabel={others ? 'Sign out all others' : 'Sign out'}
      onConfirm={end}
    />
  )
}
