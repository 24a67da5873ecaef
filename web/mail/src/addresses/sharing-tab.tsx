import type { Address } from '@stoa/mail-model/addresses.ts'
import type { Share } from '@stoa/mail-model/shares.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Badge } from '@stoa/ui/display/badge.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useUrlState } from '@stoa/ui/navigation/url-state.ts'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, UserMinus, Users } from 'lucide-react'
import { useState } from 'react'
import { hasName } from '../api.ts'
import { AddressSelect } from './address-select.tsx'
import { createShare, deleteShare, sharesQuery } from './queries.ts'

const rights: readonly { access: Share['access']; label: string; help: string }[] = [
  { access: 'read', label: 'Read', help: 'Can see all folders and messages.' },
  { access: 'write', label: 'Read and write', help: 'Can also move, flag, delete and add messages.' },
  { access: 'full', label: 'Full access', help: 'Can also create, rename and delete folders.' },
]

const columns: readonly [Column<Share>, ...Column<Share>[]] = [
  { id: 'with_email', header: 'Shared with', cell: (share) => <span className="break-all">{share.with_email}</span> },
  {
    id: 'access',
    header: 'Access',
    cell: (share) => <Badge>{rights.find(({ access }) => access === share.access)?.label ?? share.access}</Badge>,
  },
  { id: 'created_at', header: 'Since', cell: (share) => <RelativeTime at={share.created_at} /> },
]

/** Other people who use the mailbox, each with a sign-in of their own. */
export const SharingTab = ({ address }: { address: Address }) => {
  const query = useQuery(sharesQuery(address.id))
  const url = useUrlState()
  const [ending, setEnding] = useState<Share>()
  const rows = query.data?.data
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => url.set({ new: '1' })}>
      Share mailbox
    </Button>
  )
  return (
    <ListSection
      title="Shared with"
      description="Your other addresses can open this mailbox with their own password. Mail apps show it under Shared. Each person has their own read status."
      actions={rows && rows.length > 0 ? create : undefined}
    >
      <DataTable
        label="Shares"
        columns={columns}
        state={listState({ data: rows, error: query.error, refetch: query.refetch }, messageOf)}
        rowKey={(share) => share.id}
        rowName={(share) => share.with_email}
        rowActions={() => [{ label: 'Stop sharing', icon: <UserMinus />, danger: true, onRun: setEnding }]}
        empty={
          <EmptyState icon={<Users />} title="Not shared" action={create}>
            Share a mailbox so a team can answer one address without sharing a password.
          </EmptyState>
        }
      />
      {url.get('new') ? (
        <NewShareDialog
          address={address}
          taken={rows?.map(({ with_address_id: id }) => id) ?? []}
          onClose={() => url.set({ new: '' })}
        />
      ) : null}
      <EndShare address={address} share={ending} onClose={() => setEnding(undefined)} />
    </ListSection>
  )
}

type Values = { address_id: string; access: Share['access'] }
type NewShareProps = { address: Address; taken: readonly string[]; onClose: () => void }

const NewShareDialog = ({ address, taken, onClose }: NewShareProps) => {
  const queryClient = useQueryClient()
  const form = useForm<Values>({
    initial: { address_id: '', access: 'read' },
    validate: (values) => (values.address_id === '' ? { address_id: 'Choose an address.' } : {}),
    onSubmit: async (values) => {
      const made = await createShare(address.id, values).catch(blameAddress)
      await queryClient.invalidateQueries(sharesQuery(address.id))
      toast({ tone: 'success', title: `Shared with ${made.with_email}` })
      onClose()
      return { address_id: '', access: 'read' as const }
    },
  })
  return (
    <FormDialog
      title={<span className="break-all">{`Share ${address.email}`}</span>}
      form={form}
      submitLabel="Share mailbox"
      allowUnchanged
      onClose={onClose}
    >
      <Field label="Shared with" error={form.errors.address_id} help="One of your addresses.">
        <AddressSelect
          value={form.values.address_id}
          onValue={(id) => form.set({ address_id: id })}
          exclude={[address.id, ...taken]}
        />
      </Field>
      <ChoiceGroup label="Access" error={form.errors.access}>
        {rights.map(({ access, label, help }) => (
          <RadioChoice
            key={access}
            name="access"
            value={access}
            chosen={form.values.access}
            onChoose={(next) => form.set({ access: next })}
            label={label}
            help={help}
          />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}

const blameAddress = (error: unknown): never => {
  if (!hasName(error, 'conflict')) throw error
  const message = 'This mailbox is already shared with this address.'
  throw new ProblemError(message, [{ key: 'address_id', message }], { cause: error })
}

type EndShareProps = { address: Address; share: Share | undefined; onClose: () => void }

const EndShare = ({ address, share, onClose }: EndShareProps) => {
  const queryClient = useQueryClient()
  if (!share) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={<span className="break-all">{`Stop sharing with ${share.with_email}?`}</span>}
      consequence={`They can no longer see the mail of ${address.email}. Their read status is lost.`}
      confirmLabel="Stop sharing"
      onConfirm={async () => {
        await deleteShare(address.id, share.id)
        await queryClient.invalidateQueries(sharesQuery(address.id))
        toast({ tone: 'success', title: `No longer shared with ${share.with_email}` })
      }}
    />
  )
}
