import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { failuresOf } from './bulk.ts'
import { entriesOf } from './bulk-words.ts'
import type { Bulk } from './use-bulk.ts'

/** A notice about the entries that the last bulk action could not change. */
export const BulkLeft = ({ bulk }: { bulk: Bulk }) => {
  if (!bulk.run || bulk.isShown || bulk.run.progress.state === 'running') return null
  const left = failuresOf(bulk.run.progress).length
  if (left === 0) return null
  return (
    <Notice
      tone="warning"
      className="mb-3"
      action={
        <Button size="sm" onClick={bulk.show}>
          View details
        </Button>
      }
    >
      {entriesOf(left)} couldn't be {bulk.run.done}.
    </Notice>
  )
}
