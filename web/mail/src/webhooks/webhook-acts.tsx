import type { Webhook } from '@stoa/mail-model/webhooks.ts'
import { ConfirmDialog } from '@stoa/ui/confirm-dialog.tsx'
import { useNavigateTo } from '@stoa/ui/link.tsx'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { nameOf } from './events.ts'
import { deleteWebhook, rotateWebhook, WEBHOOKS, webhookQuery, webhooksQuery } from './queries.ts'

type ActProps = { webhook: Webhook; open: boolean; onClose: () => void }

/** A new signing secret; the old one signs nothing more. */
export const RotateWebhook = ({
  webhook,
  open,
  onClose,
  onRotated,
}: ActProps & { onRotated: (secret: string) => void }) => {
  const queryClient = useQueryClient()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Replace the secret of “${nameOf(webhook)}”?`}
      consequence="The present one signs nothing more. Your server refuses events until it knows the new one; refused ones are sent again later."
      confirmLabel="Replace secret"
      onConfirm={async () => {
        const made = await rotateWebhook(webhook.id)
        void queryClient.invalidateQueries({ queryKey: WEBHOOKS })
        onRotated(made.signing_secret)
      }}
    />
  )
}

export const DeleteWebhook = ({ webhook, open, onClose, onDeleted }: ActProps & { onDeleted?: () => void }) => {
  const queryClient = useQueryClient()
  const navigateTo = useNavigateTo()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onClose}
      title={`Delete “${nameOf(webhook)}”?`}
      consequence="Nothing more is sent there, and its log is gone. It cannot be undone."
      confirmLabel="Delete webhook"
      onConfirm={async () => {
        await deleteWebhook(webhook.id)
        onDeleted?.()
        queryClient.removeQueries(webhookQuery(webhook.id))
        navigateTo('/webhooks')
        // Not what is of this one: the screen still shows it until the next one is there
        void queryClient.invalidateQueries(webhooksQuery)
        toast({ tone: 'success', title: `“${nameOf(webhook)}” is deleted` })
      }}
    />
  )
}
