import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '../layer/confirm-dialog.tsx'
import { hasUnsavedChanges, keepsChanges } from './leave-guard.ts'

type LeaveDialogProps = {
  open: boolean
  /** Where the changes are: "on this screen". */
  where: string
  onStay: () => void
  onLeave: () => void
}

/** Asks before changes that are not saved are left behind. */
export const LeaveDialog = ({ open, where, onStay, onLeave }: LeaveDialogProps) => {
  const isKept = keepsChanges()
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onStay()
      }}
      title="Leave without saving?"
      consequence={
        isKept
          ? `Your changes ${where} aren't saved yet. They're stored in this browser, and you can restore them when you come back.`
          : `Your changes ${where} will be lost.`
      }
      confirmLabel="Leave"
      tone={isKept ? 'primary' : 'danger'}
      onConfirm={onLeave}
    />
  )
}

type LeaveQuestion = {
  /** Does it, or asks first while a form holds changes. */
  run: (action: () => void) => void
  /** To be put anywhere on the screen. */
  dialog: ReactNode
}

/** For a part of a screen that is left for another part; the router asks for other screens. */
export const useLeaveQuestion = (where: string): LeaveQuestion => {
  const [waiting, setWaiting] = useState<{ action: () => void }>()
  return {
    run: (action) => (hasUnsavedChanges() ? setWaiting({ action }) : action()),
    dialog: (
      <LeaveDialog
        open={waiting !== undefined}
        where={where}
        onStay={() => setWaiting(undefined)}
        onLeave={() => waiting?.action()}
      />
    ),
  }
}
