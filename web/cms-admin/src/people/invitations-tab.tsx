import type { Me } from '@stoa/cms-model/accounts.ts'
import type { Invitation, IssuedInvitation } from '@stoa/cms-model/invitations.ts'
import { canManageRole } from '@stoa/cms-model/permissions.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable, type TableAction } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Mail, MailX, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { roleLabels } from '../accounts/roles.ts'
import { readConflict } from '../api.ts'
import { pagerOf } from '../list-pages.ts'
import { invitationsKey, invitationsQuery, renewInvitation, withdrawInvitation } from './queries.ts'

const columns: readonly [Column<Invitation>, ...Column<Invitation>[]] = [
  {
    id: 'email',
    header: 'Email',
    cell: (invitation) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{invitation.email}</span>
        {invitation.name === null ? null : (
          <span className="truncate font-normal text-faint text-xs">{invitation.name}</span>
        )}
      </span>
    ),
  },
  { id: 'role', header: 'Role', cell: ({ role }) => <Badge>{roleLabels[role]}</Badge> },
  {
    id: 'state',
    header: 'Status',
    cell: (invitation) =>
      isOver(invitation) ? (
        <Status tone="neutral">Expired</Status>
      ) : (
        <Status tone="scheduled">{invitation.sent ? 'Email sent' : 'Link created'}</Status>
      ),
  },
  {
    id: 'expiresAt',
    header: 'Expires',
    cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
  },
  { id: 'createdBy', header: 'Invited by', cell: ({ createdBy }) => createdBy.name, hideOnPhone: true },
]

const isOver = ({ expiresAt }: Invitation): boolean => Date.parse(expiresAt) <= Date.now()

type InvitationsTabProps = { me: Me; onIssued: (invitation: IssuedInvitation) => void; onInvite: () => void }

/** Invitations that have not been accepted yet. */
export const InvitationsTab = ({ me, onIssued, onInvite }: InvitationsTabProps) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState<Invitation>()
  const query = useQuery(invitationsQuery(readPage(url.get('page'))))
  const refresh = () => queryClient.invalidateQueries({ queryKey: invitationsKey })
  const renew = async (invitation: Invitation) => {
    try {
      onIssued(await renewInvitation(invitation))
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't renew the invitation", description: wordsOf(error) })
    }
    await refresh()
  }
  return (
    <>
      <DataTable
        label="Invitations"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ email }) => email}
        rowActions={(invitation) => actionsFor(me, invitation, renew, setLeaving)}
        empty={
          <EmptyState icon={<Mail />} title="No open invitations" action={<Button onClick={onInvite}>Invite</Button>}>
            People you invite appear here until they join.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
      {leaving ? (
        <ConfirmDialog
          open
          onOpenChange={() => setLeaving(undefined)}
          title={`Withdraw the invitation for ${leaving.email}?`}
          consequence="The link stops working immediately. You can invite them again."
          confirmLabel="Withdraw invitation"
          onConfirm={async () => {
            await withdrawInvitation(leaving).finally(refresh)
            toast({ tone: 'success', title: 'Invitation withdrawn' })
          }}
        />
      ) : null}
    </>
  )
}

/** Only permitted actions are offered: nothing above one's own rank. */
const actionsFor = (
  me: Me,
  invitation: Invitation,
  renew: (invitation: Invitation) => Promise<void>,
  withdraw: (invitation: Invitation) => void,
): readonly TableAction<Invitation>[] =>
  canManageRole(me.role, invitation.role)
    ? [
        { label: 'Renew', icon: <RefreshCw />, onRun: renew },
        { label: 'Withdraw', icon: <MailX />, danger: true, onRun: withdraw },
      ]
    : []

const wordsOf = (error: unknown): string =>
  readConflict(error) ? 'Someone else just changed it. The list is up to date now.' : messageOf(error)
