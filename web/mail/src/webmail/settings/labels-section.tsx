import type { List } from '@stoa/mail-model/list.ts'
import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/navigation/link.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { type Column, DataTable } from '@stoa/ui/table/data-table.tsx'
import { ListSection } from '@stoa/ui/table/list-section.tsx'
import { listState } from '@stoa/ui/table/list-state.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Search, Tag, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { forgetLabel, rememberLabels, useKnownLabels } from '../acts/known-labels.ts'
import { labelFrom } from '../acts/labels.ts'
import { useMessageActs } from '../acts/use-message-acts.ts'
import { sendMailbox } from '../api.ts'
import { LabelChip } from '../folders/label-chip.tsx'
import { labelsQuery } from '../queries.ts'

const columns: readonly [Column<string>] = [
  {
    id: 'label',
    header: 'Label',
    cell: (label) => (
      <span className="flex min-w-0">
        <LabelChip label={label} />
      </span>
    ),
  },
]

/** The labels of the mailbox, with ways to rename and remove them. */
export const LabelsSection = () => {
  const told = useQuery({ ...labelsQuery, staleTime: 0 })
  const labels = useKnownLabels()
  const state = listState({ data: told.data && labels, error: told.error, refetch: told.refetch }, messageOf)
  const navigateTo = useNavigateTo()
  const [renaming, setRenaming] = useState<string>()
  const [removing, setRemoving] = useState<string>()
  return (
    <ListSection title="Labels" description="Organise messages across folders. Other mail apps call these keywords.">
      <DataTable
        label="Labels"
        columns={columns}
        state={labels.length > 0 ? { status: 'ready', rows: labels } : state}
        rowKey={(label) => label}
        rowName={(label) => label}
        rowActions={(label) => [
          { label: 'Show messages', icon: <Search />, onRun: () => navigateTo(`/webmail/label-${label}`) },
          { label: 'Rename', icon: <Pencil />, onRun: () => setRenaming(label) },
          { label: 'Remove', icon: <Trash2 />, danger: true, onRun: () => setRemoving(label) },
        ]}
        empty={
          <EmptyState icon={<Tag />} title="No labels yet">
            To create a label, open a message, choose Labels and type a name.
          </EmptyState>
        }
      />
      {renaming === undefined ? null : <RenameLabel label={renaming} onClose={() => setRenaming(undefined)} />}
      {removing === undefined ? null : <RemoveLabel label={removing} onClose={() => setRemoving(undefined)} />}
    </ListSection>
  )
}

type LabelDialogProps = { label: string; onClose: () => void }

const RenameLabel = ({ label, onClose }: LabelDialogProps) => {
  const change = useLabelChange()
  const form = useForm({
    initial: { name: label },
    validate: ({ name }) => (labelFrom(name) === '' ? { name: 'Use letters and digits.' } : {}),
    onSubmit: async ({ name }) => {
      const next = labelFrom(name)
      if (next !== label) await change(label, next)
      onClose()
      return undefined
    },
  })
  const next = labelFrom(form.values.name)
  return (
    <FormDialog
      title={`Rename “${label}”`}
      description="Updates all messages with this label. Filters keep using the old name."
      size="sm"
      form={form}
      submitLabel="Rename"
      onClose={onClose}
    >
      <Field
        label="Label"
        help={next && next !== form.values.name ? `Will be saved as “${next}”.` : 'Lowercase letters, digits, - and _.'}
        error={form.errors.name}
      >
        <Input {...form.text('name')} autoCapitalize="none" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

const RemoveLabel = ({ label, onClose }: LabelDialogProps) => {
  const change = useLabelChange()
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove the label “${label}”?`}
      consequence="It's removed from all messages. The messages stay where they are."
      confirmLabel="Remove label"
      onConfirm={() => change(label, null)}
    />
  )
}

/** Takes a label off all messages, and puts another one in its place. */
const useLabelChange = (): ((label: string, next: string | null) => Promise<void>) => {
  const acts = useMessageActs()
  const queryClient = useQueryClient()
  return async (label, next) => {
    const search = `label:${label}`
    const query = new URLSearchParams({ search, per_page: '10' })
    const { total } = await sendMailbox<List<MessageItem>>('GET', `/api/mail/messages?${query}`)
    if (total > 0)
      await acts.label({ query: { search }, total }, { remove: [label], ...(next === null ? {} : { add: [next] }) })
    forgetLabel(queryClient, label)
    if (next !== null) rememberLabels(queryClient, [next])
    // What is cached may still show the old one
    await queryClient.invalidateQueries({ queryKey: ['webmail', 'messages'] })
  }
}
