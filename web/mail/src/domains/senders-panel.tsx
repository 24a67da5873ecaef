import type { Domain } from '@stoa/mail-model/domains.ts'
import type { Sender, SenderInput } from '@stoa/mail-model/senders.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { readPage, useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2, UserRoundCheck } from 'lucide-react'
import { useState } from 'react'
import { pagerOf } from '../list-url.ts'
import { addSender, deleteSender, domainsKey, sendersQuery } from './queries.ts'

const columns: readonly [Column<Sender>, ...Column<Sender>[]] = [
  { id: 'pattern', header: 'Sender', cell: ({ pattern }) => pattern },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action }) =>
      action === 'allow' ? <Badge tone="live">Allowed</Badge> : <Badge tone="failed">Blocked</Badge>,
  },
  { id: 'created_at', header: 'Added', cell: ({ created_at: at }) => <RelativeTime at={at} /> },
]

/** Services that may send in the name of the domain, and senders whose mail goes to Junk. */
export const SendersPanel = ({ domain }: { domain: Domain }) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const query = useQuery(sendersQuery(domain.id, readPage(url.get('page'))))
  const [isAdding, setIsAdding] = useState(false)
  const remove = async ({ id, pattern }: Sender) => {
    try {
      await deleteSender(domain.id, id)
      toast({ tone: 'success', title: `${pattern} removed` })
    } catch (error) {
      toast({ tone: 'danger', title: `${pattern} couldn't be removed`, description: messageOf(error) })
    }
    await queryClient.invalidateQueries({ queryKey: domainsKey })
  }
  const add = (
    <Button icon={<Plus />} onClick={() => setIsAdding(true)}>
      Add sender
    </Button>
  )
  return (
    <ListSection
      title="Allowed and blocked senders"
      description={`Mail from other servers that claims to be from ${domain.unicode_name} goes to Junk unless SPF or DKIM confirms it. Allow the services that send for you.`}
      {...(query.data?.total ? { actions: add } : {})}
    >
      <DataTable
        label="Allowed and blocked senders"
        columns={columns}
        state={listState({ data: query.data?.data, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={({ id }) => id}
        rowName={({ pattern }) => pattern}
        rowActions={() => [{ label: 'Remove', icon: <Trash2 />, danger: true, onRun: (row) => void remove(row) }]}
        empty={
          <EmptyState icon={<UserRoundCheck />} title="No senders yet" action={add}>
            Allow a newsletter service, or block a sender.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {isAdding ? <NewSender domain={domain} onClose={() => setIsAdding(false)} /> : null}
    </ListSection>
  )
}

const actions = [
  { value: 'allow', label: 'Allow sending as this domain' },
  { value: 'block', label: 'Block: deliver to Junk' },
] as const

const NewSender = ({ domain, onClose }: { domain: Domain; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const form = useForm<SenderInput>({
    initial: { pattern: '', action: 'allow' },
    onSubmit: async (values) => {
      const { pattern } = await addSender(domain.id, values)
      await queryClient.invalidateQueries({ queryKey: domainsKey })
      toast({ tone: 'success', title: `${pattern} added` })
      onClose()
    },
  })
  return (
    <FormDialog title="Add sender" submitLabel="Add sender" form={form} onClose={onClose}>
      <Field
        label="Address or domain"
        help="For example news@example.com, or @example.com for a whole domain. Allowed senders must pass their own SPF or DKIM."
        error={form.errors.pattern}
      >
        <Input {...form.text('pattern')} autoFocus autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Action" error={form.errors.action}>
        <Select
          value={form.values.action}
          options={actions}
          onValue={(chosen) => form.set({ action: chosen === 'block' ? 'block' : 'allow' })}
        />
      </Field>
    </FormDialog>
  )
}
