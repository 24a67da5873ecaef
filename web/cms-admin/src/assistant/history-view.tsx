import type { Conversation } from '@stoa/cms-model/assistant.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { QueryBoundary } from '@stoa/ui/feedback/query-boundary.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { conversationsQuery, deleteConversation, renameConversation } from './queries.ts'

type HistoryViewProps = { shown: string | null; onOpen: (id: string) => void; onDeleted: (id: string) => void }

const nameOf = ({ title }: Pick<Conversation, 'title'>): string => title || 'New conversation'

/** Earlier conversations, which only their owner sees. */
export const HistoryView = ({ shown, onOpen, onDeleted }: HistoryViewProps) => {
  const query = useQuery(conversationsQuery)
  const queryClient = useQueryClient()
  const [renaming, setRenaming] = useState<Conversation>()
  const [deleting, setDeleting] = useState<Conversation>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: conversationsQuery.queryKey })
  return (
    <section aria-label="Conversations">
      <QueryBoundary query={query} name="Your conversations" lines={6}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<History />} title="No conversations yet">
              Your conversations with the assistant show up here. Only you can see them.
            </EmptyState>
          ) : (
            <ul className="flex flex-col gap-0.5">
              {items.map((one) => (
                <li key={one.id} className="flex min-w-0 items-center gap-1">
                  <button
                    type="button"
                    aria-current={one.id === shown}
                    onClick={() => onOpen(one.id)}
                    className={cx(
                      'flex min-w-0 flex-1 items-baseline gap-2 rounded-md px-2 py-1.5 text-left text-sm transition-colors',
                      one.id === shown ? 'bg-pressed' : 'hover:bg-hover',
                    )}
                  >
                    <span className="min-w-0 flex-1 truncate text-ink">{nameOf(one)}</span>
                    <RelativeTime at={one.updatedAt} className="shrink-0 text-faint text-xs" />
                  </button>
                  <Menu trigger={<IconButton size="sm" label={`Actions for ${nameOf(one)}`} icon={<Ellipsis />} />}>
                    <MenuItem icon={<Pencil />} onSelect={() => setRenaming(one)}>
                      Rename
                    </MenuItem>
                    <MenuItem icon={<Trash2 />} danger onSelect={() => setDeleting(one)}>
                      Delete
                    </MenuItem>
                  </Menu>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {renaming ? (
        <RenameDialog conversation={renaming} onClose={() => setRenaming(undefined)} onRenamed={() => void refresh()} />
      ) : null}
      <ConfirmDialog
        open={deleting !== undefined}
        onOpenChange={() => setDeleting(undefined)}
        title={`Delete “${deleting ? nameOf(deleting) : ''}”?`}
        consequence="Its messages and open proposals are permanently deleted. Changes you applied stay."
        confirmLabel="Delete conversation"
        onConfirm={async () => {
          if (!deleting) return
          await deleteConversation(deleting.id)
          onDeleted(deleting.id)
          toast({ tone: 'success', title: 'Conversation deleted' })
          await refresh()
        }}
      />
    </section>
  )
}

type RenameDialogProps = { conversation: Conversation; onClose: () => void; onRenamed: () => void }

const RenameDialog = ({ conversation, onClose, onRenamed }: RenameDialogProps) => {
  const form = useForm({
    initial: { title: conversation.title },
    onSubmit: async ({ title }) => {
      await renameConversation(conversation.id, title)
      onRenamed()
      onClose()
      return undefined
    },
  })
  return (
    <FormDialog title="Rename conversation" form={form} submitLabel="Rename" onClose={onClose}>
      <Field label="Title" error={form.errors.title}>
        <Input {...form.text('title')} autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
