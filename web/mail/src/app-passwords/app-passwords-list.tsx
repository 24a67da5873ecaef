import type { AppPassword, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import type { List } from '@stoa/mail-model/list.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge, Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { SecretOnceDialog } from '@stoa/ui/layer/secret-once-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { Ban, KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type NewAppPassword, NewAppPasswordDialog, scopeWords } from './new-app-password-dialog.tsx'

const columns: readonly [Column<AppPassword>, ...Column<AppPassword>[]] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, token_prefix: prefix }) => (
      <span className="flex min-w-0 flex-col">
        <span title={name} className="truncate phone:whitespace-normal">
          {name}
        </span>
        <code className="font-mono font-normal text-faint text-xs">{prefix}…</code>
      </span>
    ),
  },
  {
    id: 'scopes',
    header: 'Access',
    cell: ({ scopes }) => (
      <span className="flex gap-1 phone:flex-wrap">
        {scopeWords(scopes).map((word) => (
          <Badge key={word}>{word}</Badge>
        ))}
      </span>
    ),
  },
  {
    id: 'last_used_at',
    header: 'Last used',
    cell: ({ last_used_at: at, last_used_ip: ip }) =>
      at === null ? (
        <span className="text-faint">Never</span>
      ) : (
        <span className="flex flex-col">
          <RelativeTime at={at} />
          {ip === null ? null : <span className="text-faint text-xs">from {ip}</span>}
        </span>
      ),
  },
  { id: 'expires_at', header: 'Expires', cell: ({ expires_at: at }) => <Ends at={at} /> },
  {
    id: 'created_at',
    header: 'Created',
    hideOnPhone: true,
    isSpare: true,
    cell: (row) => <RelativeTime at={row.created_at} />,
  },
]

const Ends = ({ at }: { at: string | null }) => {
  if (at === null) return <span className="text-faint">Never</span>
  return new Date(at) <= new Date() ? <Status tone="failed">Expired</Status> : <RelativeTime at={at} />
}

type AppPasswordsListProps = {
  /** The address that they open. */
  email: string
  query: { data: List<AppPassword> | undefined; error: Error | null; refetch: () => unknown }
  create: (password: NewAppPassword) => Promise<CreatedAppPassword>
  revoke: (id: string) => Promise<unknown>
  /** Has the list read again. */
  onChanged: () => Promise<void>
  /** The next step, shown in the empty list. */
  next: ReactNode
  /** Between the head and the list. */
  notice?: ReactNode
}

/** One password for each mail program, so that a lost phone is one press. `?new=1` opens the dialog. */
export const AppPasswordsList = (props: AppPasswordsListProps) => {
  const { email, query, create, onChanged, next, notice } = props
  const url = useUrlState()
  const [created, setCreated] = useState<CreatedAppPassword>()
  const [revoking, setRevoking] = useState<AppPassword>()
  const rows = query.data?.data
  const close = () => url.set({ new: '' })
  const button = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New app password
    </Button>
  )
  return (
    <ListSection
      title="App passwords"
      description="Separate passwords for mail apps and devices. They can't open webmail or settings, and you can revoke each one on its own."
      actions={rows?.length ? button : undefined}
    >
      {notice}
      <DataTable
        label="App passwords"
        columns={columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        rowActions={() => [{ label: 'Revoke', icon: <Ban />, danger: true, onRun: setRevoking }]}
        empty={
          <EmptyState icon={<KeyRound />} title="No app passwords yet" action={button}>
            {next}
          </EmptyState>
        }
      />
      {url.get('new') ? (
        <NewAppPasswordDialog
          email={email}
          create={create}
          onClose={close}
          onCreated={(made) => {
            setCreated(made)
            close()
            void onChanged()
          }}
        />
      ) : null}
      {created ? (
        <SecretOnceDialog
          title={`App password “${created.name}”`}
          secrets={[created.token]}
          fileName={`app-password-${created.token_prefix}.txt`}
          help={`Enter it as the password for ${email} in your mail app. The username is the full address.`}
          onClose={() => setCreated(undefined)}
        />
      ) : null}
      {revoking ? <Revoke {...props} appPassword={revoking} onClose={() => setRevoking(undefined)} /> : null}
    </ListSection>
  )
}

type RevokeProps = Pick<AppPasswordsListProps, 'revoke' | 'onChanged'> & {
  appPassword: AppPassword
  onClose: () => void
}

const Revoke = ({ appPassword, revoke, onChanged, onClose }: RevokeProps) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Revoke “${appPassword.name}”?`}
    consequence="Apps that use it are signed out immediately. This can't be undone."
    confirmLabel="Revoke app password"
    onConfirm={async () => {
      await revoke(appPassword.id)
      await onChanged()
      toast({ tone: 'success', title: `${appPassword.name} revoked` })
    }}
  />
)
