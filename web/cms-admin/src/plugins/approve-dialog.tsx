import type { PluginAsks } from '@stoa/cms-model/plugins.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { Asks } from './asks.tsx'

type ApproveDialogProps = {
  label: string
  asks: PluginAsks
  /** The plugin has events or schedules. */
  actsAlone: boolean
  /** The plugin was approved before and now asks for more. */
  isMore: boolean
  /** The action: "Switch on". */
  confirmLabel: string
  onApprove: () => Promise<void>
  onClose: () => void
}

/** Lists the plugin's permissions before they are granted. */
export const ApproveDialog = ({
  label,
  asks,
  actsAlone,
  isMore,
  confirmLabel,
  onApprove,
  onClose,
}: ApproveDialogProps) => {
  const cancel = useRef<HTMLButtonElement>(null)
  const approve = useMutation({ mutationFn: onApprove, onSuccess: onClose })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      dismissible={!approve.isPending}
      initialFocus={cancel}
      title={isMore ? `“${label}” asks for more permissions` : `Turn on “${label}”?`}
      description={
        actsAlone
          ? 'It acts for the person using it and can never do more than they can. It also runs in the background, with editor permissions at most.'
          : 'It acts for the person using it and can never do more than they can.'
      }
      footer={
        <>
          <Button ref={cancel} disabled={approve.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" loading={approve.isPending} onClick={() => approve.mutate()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {approve.error ? <Notice tone="danger">{messageOf(approve.error)}</Notice> : null}
        <Asks asks={asks} none="It doesn't ask for any permissions." />
      </div>
    </Dialog>
  )
}
