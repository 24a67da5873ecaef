import type { AgentKey } from '@stoa/cms-model/keys.ts'
import { Status } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import type { Column, TableAction } from '@stoa/ui/table/data-table.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { stateOf } from './grants.ts'
import { agentKeysKey, revokeAgentKey } from './queries.ts'

/** The columns of a key in lists, for any owner. */
export const keyColumns: readonly [Column<AgentKey>, ...Column<AgentKey>[]] = [
  { id: 'name', header: 'Name', cell: (key) => key.name },
  { id: 'state', header: 'Status', cell: (key) => <KeyState record={key} /> },
  {
    id: 'key',
    header: 'Key',
    cell: (key) => (
      <code className="font-mono text-xs">
        {key.prefix}…{key.last4}
      </code>
    ),
  },
  {
    id: 'grants',
    header: 'Permissions',
    cell: (key) => <span title={key.grants.join(', ')}>{key.grants.length}</span>,
  },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    cell: (key) => (key.lastUsedAt === null ? 'Never' : <RelativeTime at={key.lastUsedAt} />),
  },
  { id: 'expiresAt', header: 'Expires', cell: (key) => <RelativeTime at={key.expiresAt} /> },
]

const KeyState = ({ record }: { record: AgentKey }) => {
  const state = stateOf(record, new Date())
  if (state === 'active') return <Status tone="live">Active</Status>
  return <Status tone="neutral">{state === 'revoked' ? 'Revoked' : 'Expired'}</Status>
}

/** A key that works can be revoked. */
export const keyActions = (key: AgentKey, revoke: (key: AgentKey) => void): readonly TableAction<AgentKey>[] =>
  stateOf(key, new Date()) === 'active' ? [{ label: 'Revoke', icon: <Ban />, danger: true, onRun: revoke }] : []

type RevokeAgentKeyProps = {
  record: AgentKey | undefined
  /** Whose it is, when it is not one's own. */
  owner?: string | undefined
  onClose: () => void
}

/** Asks before a key is revoked. */
export const RevokeAgentKey = ({ record, owner, onClose }: RevokeAgentKeyProps) => {
  const queryClient = useQueryClient()
  if (!record) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={owner === undefined ? `Revoke “${record.name}”?` : `Revoke “${record.name}” of ${owner}?`}
      consequence="Anything using this key stops working immediately. This can't be undone, but you can create a new key."
      confirmLabel="Revoke key"
      onConfirm={async () => {
        await revokeAgentKey(record.id)
        await queryClient.invalidateQueries({ queryKey: agentKeysKey })
        toast({ tone: 'success', title: `“${record.name}” revoked` })
      }}
    />
  )
}
