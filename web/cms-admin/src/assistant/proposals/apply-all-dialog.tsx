import type { Proposal } from '@stoa/cms-model/assistant.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { runEach } from '@stoa/ui/request/run-each.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refresh, sendAll } from './use-apply.ts'

const NOTHING_LEFT = { left: new Set<string>(), edits: {} }

/** Several proposals at once, with every row of them in sight. */
export const ApplyAllDialog = ({ proposals, onClose }: { proposals: readonly Proposal[]; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<readonly string[]>([])
  // What was asked about, whatever is in the list by now
  const [asked] = useState(proposals)
  const rows = asked.flatMap(({ id, changes }) => changes.map((change) => ({ id: `${id} ${change.path}`, ...change })))
  const apply = async () => {
    setBusy(true)
    const result = await runEach(asked, (proposal) => sendAll(proposal, NOTHING_LEFT))
    for (const proposal of asked) await refresh(queryClient, proposal)
    setBusy(false)
    setFailed(result.failed.map(({ item, message }) => `${item.title}: ${message}`))
    if (result.failed.length > 0) return
    toast({ tone: 'success', title: `${formatCount(rows.length, 'alt text', 'alt texts')} applied` })
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      dismissible={!isBusy}
      size="lg"
      title={`Apply ${formatCount(rows.length, 'alt text', 'alt texts')}?`}
      description="Every file that changes is listed here."
      footer={
        <>
          <Button disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" loading={isBusy} onClick={() => void apply()}>
            Apply all
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {failed.map((message) => (
          <Notice key={message} tone="danger">
            {message}
          </Notice>
        ))}
        <ul className="divide-y divide-line rounded-lg border border-line text-sm">
          {rows.map(({ id, label, before, after }) => (
            <li key={id} className="flex min-w-0 flex-col gap-0.5 px-3 py-2">
              <span className="wrap-anywhere font-medium text-ink">{label}</span>
              {before ? <del className="wrap-anywhere text-faint">{String(before)}</del> : null}
              <span className="wrap-anywhere text-muted">{String(after)}</span>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
