import { Ellipsis, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../button/button.tsx'
import { toast } from '../feedback/toast-store.ts'
import { ConfirmDialog } from '../layer/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '../layer/menu.tsx'

type WebhookActionsProps = {
  name: string
  /** The dialog that changes it. */
  edit: (onClose: () => void) => ReactNode
  /** Makes a new secret, and shows it. */
  onReplaceSecret: () => Promise<void>
  onDelete: () => Promise<void>
}

/** The menu of actions on a webhook, at the end of the buttons above its screen. */
export const WebhookActions = ({ name, edit, onReplaceSecret, onDelete }: WebhookActionsProps) => {
  const [open, setOpen] = useState<'edit' | 'secret' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button icon={<Pencil />} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
        <MenuItem icon={<RefreshCw />} onSelect={() => setOpen('secret')}>
          Replace secret
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} danger onSelect={() => setOpen('delete')}>
          Delete webhook
        </MenuItem>
      </Menu>
      {open === 'edit' ? edit(close) : null}
      <ConfirmDialog
        open={open === 'secret'}
        onOpenChange={close}
        title={`Replace the secret of “${name}”?`}
        consequence="The current secret stops working immediately. Your server rejects events until it has the new one; rejected events are retried."
        confirmLabel="Replace secret"
        onConfirm={onReplaceSecret}
      />
      {open === 'delete' ? <DeleteWebhookDialog name={name} onDelete={onDelete} onClose={close} /> : null}
    </>
  )
}

type DeleteWebhookProps = Pick<WebhookActionsProps, 'name' | 'onDelete'> & { onClose: () => void }

export const DeleteWebhookDialog = ({ name, onDelete, onClose }: DeleteWebhookProps) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Delete “${name}”?`}
    consequence="No more events are sent to it, and its log is deleted. This can't be undone."
    confirmLabel="Delete webhook"
    onConfirm={async () => {
      await onDelete()
      toast({ tone: 'success', title: `“${name}” deleted` })
    }}
  />
)
