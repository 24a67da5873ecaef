import type { AgentKey } from '@stoa/cms-model/keys.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { turnIn } from '@stoa/ui/table/list-pages.ts'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { useState } from 'react'
import { keyActions, keyColumns, RevokeAgentKey } from '../accounts/agent-key-parts.tsx'
import { pagerOf } from '../list-pages.ts'
import { everyAgentKeyQuery, everybodyQuery } from './queries.ts'

const [name, ...rest] = keyColumns
const columns: readonly [Column<AgentKey>, ...Column<AgentKey>[]] = [
  name,
  { id: 'account', header: 'Owner', cell: (key) => key.account.name },
  ...rest,
]

/** The keys with which programs act in people's names, of every owner. */
export const AgentKeysTab = () => {
  const url = useUrlState()
  const [revoking, setRevoking] = useState<AgentKey>()
  const account = url.get('account')
  const page = readPage(url.get('page'))
  const query = useQuery(everyAgentKeyQuery({ account: account === '' ? 'all' : account, page }))
  return (
    <>
      <DataTable
        label="All agent keys"
        columns={columns}
        state={listState({ data: query.data?.items, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(key) => key.id}
        rowName={(key) => key.name}
        rowActions={(key) => keyActions(key, setRevoking)}
        toolbar={<Owner account={account} onAccount={(id) => url.set({ account: id, page: '' })} />}
        onClearFilters={account === '' ? undefined : () => url.set({ account: '', page: '' })}
        empty={
          <EmptyState icon={<Bot />} title="No agent keys yet">
            People create them in their account, for scripts and assistants that act on their behalf.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, turnIn(url)) } : {})}
      />
      <RevokeAgentKey record={revoking} owner={revoking?.account.name} onClose={() => setRevoking(undefined)} />
    </>
  )
}

const Owner = ({ account, onAccount }: { account: string; onAccount: (id: string) => void }) => {
  const { data: people } = useQuery(everybodyQuery)
  return (
    <Select
      aria-label="Owner"
      className="max-w-48 phone:max-w-none"
      value={account}
      options={[
        { value: '', label: 'Everyone' },
        ...(people?.items.map((person) => ({ value: person.id, label: person.name })) ?? []),
      ]}
      onValue={onAccount}
    />
  )
}
