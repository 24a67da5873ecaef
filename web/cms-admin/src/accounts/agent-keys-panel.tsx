import type { Me } from '@stoa/cms-model/accounts.ts'
import type { AgentKey } from '@stoa/cms-model/keys.ts'
import { Status } from '@stoa/ui/badge.tsx'
import { Button } from '@stoa/ui/button.tsx'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { type Column, DataTable } from '@stoa/ui/data-table.tsx'
import { EmptyState } from '@stoa/ui/empty-state.tsx'
import { listState } from '@stoa/ui/list-state.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { RelativeTime } from '@stoa/ui/relative-time.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { useUrlState } from '../url-state.ts'
import { stateOf } from './grants.ts'
import { NewAgentKeyDialog } from './new-agent-key-dialog.tsx'
import { agentKeysQuery, type MintedAgentKey, revokeAgentKey } from './queries.ts'

const columns: readonly [Column<AgentKey>, ...Column<AgentKey>[]] = [
  { id: 'name', header: 'Name', cell: (key) => key.name },
  { id: 'state', header: 'State', cell: (key) => <KeyState record={key} /> },
  {
    id: 'key',
    header: 'Key',
    cell: (key) => (
      <code className="font-mono text-xs">
        {key.prefix}…{key.last4}
      </code>
    ),
  },
  { id: 'grants', header: 'Grants', cell: (key) => <span title={key.grants.join(', ')}>{key.grants.length}</span> },
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

/** Keys with which programs act in one's own name. */
export const AgentKeysPanel = ({ me }: { me: Me }) => {
  const query = useQuery(agentKeysQuery)
  const url = useUrlState()
  const [minted, setMinted] = useState<MintedAgentKey>()
  const [revoking, setRevoking] = useState<AgentKey>()
  const create = (
    <Button icon={<Plus />} onClick={() => url.set({ new: 'agent-key' })}>
      New agent key
    </Button>
  )
  return (
    <section aria-labelledby="agent-keys" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col gap-0.5">
          <h2 id="agent-keys" className="font-semibold text-base">
            Agent keys
          </h2>
          <p className="text-muted text-sm">
            Programs and assistants act in your name with one, as far as you let them.
          </p>
        </div>
        {query.data && query.data.items.length > 0 ? create : null}
      </div>
      <DataTable
        label="Your agent keys"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        rowActions={(key) =>
          stateOf(key, new Date()) === 'active'
            ? [{ label: 'Revoke', icon: <Ban />, danger: true, onRun: setRevoking }]
            : []
        }
        empty={
          <EmptyState icon={<Bot />} title="No agent keys" action={create}>
            Make one for a script or an assistant, with only the grants that it needs.
          </EmptyState>
        }
      />
      {url.get('new') === 'agent-key' ? (
        <NewAgentKeyDialog
          me={me}
          onClose={() => url.set({ new: '' })}
          onMinted={(key) => {
            url.set({ new: '' })
            setMinted(key)
          }}
        />
      ) : null}
      {minted ? <MintedAgentKeyDialog minted={minted} onClose={() => setMinted(undefined)} /> : null}
      <RevokeAgentKey record={revoking} onClose={() => setRevoking(undefined)} />
    </section>
  )
}

const MintedAgentKeyDialog = ({ minted, onClose }: { minted: MintedAgentKey; onClose: () => void }) => (
  <SecretOnceDialog
    title={`Agent key “${minted.name}”`}
    secrets={[minted.key]}
    fileName={`agent-key-${minted.last4}.txt`}
    help="Whoever has it acts in your name, within its grants."
    onClose={onClose}
  >
    <CodeBlock
      label="curl"
      code={`curl '${location.origin}/api/auth/me' \\\n  -H "authorization: Bearer ${minted.key}"`}
    />
  </SecretOnceDialog>
)

const RevokeAgentKey = ({ record, onClose }: { record: AgentKey | undefined; onClose: () => void }) => {
  const queryClient = useQueryClient()
  if (!record) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Revoke “${record.name}”?`}
      consequence="Whatever acts with this key is refused at once. It cannot be taken back; a new key can be made."
      confirmLabel="Revoke key"
      onConfirm={async () => {
        await revokeAgentKey(record.id)
        await queryClient.invalidateQueries(agentKeysQuery)
        toast({ tone: 'success', title: `“${record.name}” is revoked` })
      }}
    />
  )
}
