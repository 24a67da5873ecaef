import type { Address } from '@stoa/mail-model/addresses.ts'
import type { AppPassword, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import { Badge, Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { Notice } from '@stoa/ui/notice.tsx'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { describeScopes, NewAppPasswordDialog } from './new-app-password-dialog.tsx'
import { appPasswordsQuery, revokeAppPassword } from './queries.ts'

const columns: readonly [Column<AppPassword>, ...Column<AppPassword>[]] = [
  {
    id: 'name',
    header: 'Name',
    cell: (row) => (
      <span className="flex min-w-0 flex-col">
        <span className="break-words">{row.name}</span>
        <code className="font-mono font-normal text-faint text-xs">{row.token_prefix}…</code>
      </span>
    ),
  },
  { id: 'scopes', header: 'Opens', cell: (row) => <Badge>{describeScopes(row.scopes)}</Badge> },
  {
    id: 'last_used_at',
    header: 'Last used',
    cell: (row) =>
      row.last_used_at === null ? (
        <span className="text-faint">Never</span>
      ) : (
        <span className="flex flex-col">
          <RelativeTime at={row.last_used_at} />
          {row.last_used_ip === null ? null : <span className="text-faint text-xs">from {row.last_used_ip}</span>}
        </span>
      ),
  },
  { id: 'expires_at', header: 'Ends', cell: (row) => <Ends at={row.expires_at} /> },
  { id: 'created_at', header: 'Created', hideOnPhone: true, cell: (row) => <RelativeTime at={row.created_at} /> },
]

const Ends = ({ at }: { at: string | null }) => {
  if (at === null) return 'Never'
  return new Date(at) <= new Date() ? <Status tone="failed">Ended</Status> : <RelativeTime at={at} />
}

/** One password for each mail program, so that a lost phone is one click. */
export const AppPasswordsTab = ({ address }: { address: Address }) => {
  const query = useQuery(appPasswordsQuery(address.id))
  const url = useUrlState()
  const [made, setMade] = useState<CreatedAppPassword>()
  const [revoking, setRevoking] = useState<AppPassword>()
  const rows = query.data?.data
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New app password
    </Button>
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="max-w-prose text-muted text-sm">
          A password for one mail program or device. It opens only what it is for, never the webmail or the settings,
          and ends without touching the others.
        </p>
        {rows && rows.length > 0 ? create : null}
      </div>
      {address.require_app_password && rows?.length === 0 ? (
        <Notice tone="warning" title="No mail program can sign in">
          This address asks for app passwords, and there is none yet.
        </Notice>
      ) : null}
      <DataTable
        label="App passwords"
        columns={columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        rowActions={() => [{ label: 'Revoke', icon: <Ban />, danger: true, onRun: setRevoking }]}
        empty={
          <EmptyState icon={<KeyRound />} title="No app passwords yet" action={create}>
            Make one for each phone, computer or script that reads or sends with this address.
          </EmptyState>
        }
      />
      {url.get('new') ? (
        <NewAppPasswordDialog
          address={address}
          onClose={() => url.set({ new: '' })}
          onMade={(next) => {
            setMade(next)
            url.set({ new: '' })
          }}
        />
      ) : null}
      {made ? (
        <SecretOnceDialog
          title={`App password “${made.name}”`}
          secrets={[made.token]}
          fileName={`app-password-${made.token_prefix}.txt`}
          help={`Enter it as the password of ${address.email} in the mail program.`}
          onClose={() => setMade(undefined)}
        />
      ) : null}
      <Revoke address={address} appPassword={revoking} onClose={() => setRevoking(undefined)} />
    </div>
  )
}

type RevokeProps = { address: Address; appPassword: AppPassword | undefined; onClose: () => void }

const Revoke = ({ address, appPassword, onClose }: RevokeProps) => {
  const queryClient = useQueryClient()
  if (!appPassword) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${appPassword.name}”?`}
      consequence="The program that uses it is signed out at once and asks for a password. It cannot be taken back; a new one can be made."
      confirmLabel="Revoke app password"
      onConfirm={async () => {
        await revokeAppPassword(address.id, appPassword.id)
        await queryClient.invalidateQueries(appPasswordsQuery(address.id))
        toast({ tone: 'success', title: `“${appPassword.name}” is revoked` })
      }}
    />
  )
}
