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
import type { SendersApi } from './senders-api.ts'

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

type SendersListProps = {
  api: SendersApi
  description: string
  /** The label of the allow action: "Allow: never treat as junk". */
  allowLabel: string
  /** The most common action here. */
  initialAction: SenderInput['action']
}

/** Senders that are allowed or blocked, with ways to add and remove them. */
export const SendersList = ({ api, description, allowLabel, initialAction }: SendersListProps) => {
  const url = useUrlState()
  const queryClient = useQueryClient()
  const query = useQuery(api.page(readPage(url.get('page'))))
  const [isAdding, setIsAdding] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: api.key })
  const remove = async ({ id, pattern, action }: Sender) => {
    try {
      await api.remove(id)
      toast({
        title: `${pattern} removed`,
        action: { label: 'Undo', onAction: () => void api.add({ pattern, action }).finally(refresh) },
      })
    } catch (error) {
      toast({ tone: 'danger', title: `${pattern} couldn't be removed`, description: messageOf(error) })
    }
    await refresh()
  }
  const add = (
    <Button icon={<Plus />} onClick={() => setIsAdding(true)}>
      Add sender
    </Button>
  )
  return (
    <ListSection
      title="Allowed and blocked senders"
      description={description}
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
            Allow a sender you trust, or block one whose mail you don't want.
          </EmptyState>
        }
        {...(query.data ? { pager: pagerOf(query.data, url) } : {})}
      />
      {isAdding ? (
        <NewSender
          api={api}
          allowLabel={allowLabel}
          initialAction={initialAction}
          onAdded={refresh}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </ListSection>
  )
}

type NewSenderProps = Pick<SendersListProps, 'api' | 'allowLabel' | 'initialAction'> & {
  onAdded: () => Promise<void>
  onClose: () => void
}

const NewSender = ({ api, allowLabel, initialAction, onAdded, onClose }: NewSenderProps) => {
  const form = useForm<SenderInput>({
    initial: { pattern: '', action: initialAction },
    onSubmit: async (values) => {
      const { pattern } = await api.add(values)
      await onAdded()
      toast({ tone: 'success', title: `${pattern} added` })
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title="Add sender" submitLabel="Add sender" form={form} onClose={onClose}>
      <Field
        label="Address, domain or network"
        help="For example news@example.com, @example.com for a whole domain, or 192.0.2.0/24 for servers. Allowed addresses and domains must pass SPF or DKIM."
        error={form.errors.pattern}
      >
        <Input {...form.text('pattern')} autoFocus autoCapitalize="none" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Action" error={form.errors.action}>
        <Select
          value={form.values.action}
          options={[
            { value: 'allow', label: allowLabel },
            { value: 'block', label: 'Block: deliver to Junk' },
          ]}
          onValue={(chosen) => form.set({ action: chosen === 'block' ? 'block' : 'allow' })}
        />
      </Field>
    </FormDialog>
  )
}
