import type { AppPassword, CreatedAppPassword } from '@stoa/mail-model/app-passwords.ts'
import { Badge } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { TextLink } from '@stoa/ui/link.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useUrlState } from '@stoa/ui/url-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { NewAppPasswordDialog, scopeLabels } from './new-app-password-dialog.tsx'
import { deleteAppPassword, ownAppPasswordsQuery } from './queries.ts'
import { ListSection } from './section-frame.tsx'

const columns: readonly [Column<AppPassword>, ...Column<AppPassword>[]] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, token_prefix: prefix }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{name}</span>
        <code className="font-mono text-faint text-xs">{prefix}…</code>
      </span>
    ),
  },
  {
    id: 'scopes',
    header: 'Opens',
    cell: ({ scopes }) => (
      <span className="flex flex-wrap gap-1">
        {scopes.length === scopeLabels.length ? (
          <Badge>Everything</Badge>
        ) : (
          scopes.map((scope) => (
            <Badge key={scope}>{scopeLabels.find(({ value }) => value === scope)?.label ?? scope}</Badge>
          ))
        )}
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
          {ip ? <span className="text-faint text-xs">from {ip}</span> : null}
        </span>
      ),
  },
  {
    id: 'expires_at',
    header: 'Ends',
    cell: ({ expires_at: at }) =>
      at === null ? (
        <span className="text-faint">Never</span>
      ) : new Date(at) < new Date() ? (
        <Badge tone="failed">Ended</Badge>
      ) : (
        <RelativeTime at={at} />
      ),
  },
]

/** One password for each mail app, so that each can be ended alone. */
export const AppPasswordsSection = () => {
  const query = useQuery(ownAppPasswordsQuery)
  const url = useUrlState()
  const [created, setCreated] = useState<CreatedAppPassword>()
  const [ending, setEnding] = useState<AppPassword>()
  const create = (
    <Button icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      New app password
    </Button>
  )
  const close = () => url.set({ new: '' })
  return (
    <ListSection
      title="App passwords"
      description="A password for one mail app: it cannot sign in here, and you can end it without changing yours."
      actions={create}
    >
      <DataTable
        label="App passwords"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={() => [{ label: 'Revoke', icon: <Trash2 />, danger: true, onRun: setEnding }]}
        empty={
          <EmptyState icon={<KeyRound />} title="No app passwords" action={create}>
            Make one for each phone or mail app, then{' '}
            <TextLink to="/webmail/settings?section=connect">connect it</TextLink>.
          </EmptyState>
        }
      />
      {url.get('new') ? (
        <NewAppPasswordDialog
          onClose={close}
          onCreated={(made) => {
            setCreated(made)
            close()
          }}
        />
      ) : null}
      {created ? <CreatedDialog created={created} onClose={() => setCreated(undefined)} /> : null}
      {ending ? <Revoke appPassword={ending} onClose={() => setEnding(undefined)} /> : null}
    </ListSection>
  )
}

const CreatedDialog = ({ created, onClose }: { created: CreatedAppPassword; onClose: () => void }) => (
  <SecretOnceDialog
    title={`App password “${created.name}”`}
    secrets={[created.token]}
    fileName={`app-password-${created.token_prefix}.txt`}
    help="Enter it in the mail app in place of your password. The user name is your full e-mail address."
    onClose={onClose}
  />
)

const Revoke = ({ appPassword, onClose }: { appPassword: AppPassword; onClose: () => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${appPassword.name}”?`}
      consequence="The app that uses it is signed out at once. It cannot be taken back; a new one can be made."
      confirmLabel="Revoke app password"
      onConfirm={async () => {
        await deleteAppPassword(appPassword.id)
        await queryClient.invalidateQueries(ownAppPasswordsQuery)
        toast({ tone: 'success', title: `“${appPassword.name}” is revoked` })
      }}
    />
  )
}
