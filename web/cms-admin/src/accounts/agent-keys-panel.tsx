import type { Me } from '@stoa/cms-model/accounts.ts'
import type { AgentKey } from '@stoa/cms-model/keys.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SecretOnceDialog } from '@stoa/ui/layer/secret-once-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { DataTable } from '@stoa/ui/table/data-table.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { useState } from 'react'
import { keyActions, keyColumns, RevokeAgentKey } from './agent-key-parts.tsx'
import { NewAgentKeyDialog } from './new-agent-key-dialog.tsx'
import { agentKeysQuery, type MintedAgentKey } from './queries.ts'

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
          <h2 id="agent-keys" className="font-semibold text-md">
            Agent keys
          </h2>
          <p className="text-muted text-sm">
            Let scripts and assistants act on your behalf, with the permissions you choose
          </p>
        </div>
        {query.data && query.data.items.length > 0 ? create : null}
      </div>
      <DataTable
        label="Your agent keys"
        columns={keyColumns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        rowActions={(key) => keyActions(key, setRevoking)}
        empty={
          <EmptyState icon={<Bot />} title="No agent keys yet" action={create}>
            Create one for a script or an assistant, with only the permissions it needs.
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
    help="Keep it secret: anyone with this key can act on your behalf, within its permissions."
    onClose={onClose}
  >
    <CodeBlock
      label="curl"
      code={`curl '${location.origin}/api/auth/me' \\\n  -H "authorization: Bearer ${minted.key}"`}
    />
  </SecretOnceDialog>
)
