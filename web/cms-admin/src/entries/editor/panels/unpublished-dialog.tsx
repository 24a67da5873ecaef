import { Button } from '@stoa/ui/button/button.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { useState } from 'react'
import { ContentDiff } from '../../../diff/content-diff.tsx'
import { nameOf } from '../../session/labels.ts'
import { useEditor } from '../editor-context.ts'
import { useEntryActions } from '../use-entry-actions.ts'

/** Compares the live version with the unpublished changes. */
export const UnpublishedDialog = ({ onClose }: { onClose: () => void }) => {
  const { type, state, canWrite } = useEditor()
  const actions = useEntryActions()
  const [asking, setAsking] = useState(false)
  const live = state.entry?.live
  if (!live) return null
  return (
    <>
      <Dialog
        open
        onOpenChange={onClose}
        size="lg"
        title={`Unpublished changes to “${nameOf(state.values)}”`}
        description="What's live now, compared with your unpublished changes"
        footer={
          <>
            {canWrite ? (
              <Button variant="danger-quiet" onClick={() => setAsking(true)}>
                Discard unpublished changes
              </Button>
            ) : null}
            <Button onClick={onClose}>Close</Button>
          </>
        }
      >
        <ContentDiff type={type} before={live} after={state.values} />
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Discard unpublished changes?"
        consequence="The entry goes back to the live version. You can find the discarded changes in its history."
        confirmLabel="Discard changes"
        onConfirm={async () => {
          await actions.discard()
          onClose()
        }}
      />
    </>
  )
}
