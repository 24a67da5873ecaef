import type { Entry } from '@stoa/cms-model/entries.ts'
import { IconButton } from '@stoa/ui/button/button.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem } from '@stoa/ui/layer/menu.tsx'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { CalendarClock, CalendarX2, Ellipsis, FileDiff, RotateCcw, Send } from 'lucide-react'
import { useState } from 'react'
import { nameOf } from '../../session/labels.ts'
import { useEditor } from '../editor-context.ts'
import { PublishDialog, UnpublishDialog } from '../publish-dialog.tsx'
import { useEntryActions } from '../use-entry-actions.ts'
import { UnpublishedDialog } from './unpublished-dialog.tsx'

type Open = 'now' | 'later' | 'unpublish' | 'draft' | 'unpublished'

/** Everything that changes whether the entry is live, and when. Nothing for those who can change none of it. */
export const StatusMenu = ({ entry }: { entry: Entry }) => {
  const { state, rights, canWrite } = useEditor()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const cancel = useCancel()
  const isLive = entry.status === 'published'
  const isScheduled = entry.publishAt !== null || entry.unpublishAt !== null
  const canPublish = rights.publish && canWrite
  const canReturn = rights.move && state.conflict === null && !state.isSignedOut && (isLive || isScheduled)
  if (entry.deletedAt !== null || !(canPublish || canReturn || entry.pending)) return null
  return (
    <>
      <Menu trigger={<IconButton size="sm" label="Change status" icon={<Ellipsis />} />}>
        {entry.pending ? (
          <MenuItem icon={<FileDiff />} onSelect={() => setOpen('unpublished')}>
            View unpublished changes
          </MenuItem>
        ) : null}
        {canPublish && entry.publishAt !== null ? (
          <>
            <MenuItem icon={<Send />} onSelect={() => setOpen('now')}>
              Publish now…
            </MenuItem>
            <MenuItem icon={<CalendarX2 />} onSelect={() => cancel('publish')}>
              Cancel schedule
            </MenuItem>
          </>
        ) : null}
        {canPublish && entry.publishAt === null && (!isLive || entry.pending) ? (
          <MenuItem icon={<CalendarClock />} onSelect={() => setOpen('later')}>
            Schedule…
          </MenuItem>
        ) : null}
        {canPublish && (isLive || entry.publishAt !== null) ? (
          <MenuItem icon={<CalendarX2 />} onSelect={() => setOpen('unpublish')}>
            {entry.unpublishAt === null ? 'Unpublish…' : 'Change unpublish date…'}
          </MenuItem>
        ) : null}
        {canPublish && entry.unpublishAt !== null ? (
          <MenuItem icon={<CalendarX2 />} onSelect={() => cancel('unpublish')}>
            Cancel unpublishing
          </MenuItem>
        ) : null}
        {canReturn ? (
          <MenuItem icon={<RotateCcw />} onSelect={() => setOpen('draft')}>
            Return to draft
          </MenuItem>
        ) : null}
      </Menu>
      {open === 'now' || open === 'later' ? <PublishDialog initially={open} onClose={close} /> : null}
      {open === 'unpublish' ? <UnpublishDialog onClose={close} /> : null}
      {open === 'unpublished' ? <UnpublishedDialog onClose={close} /> : null}
      <ReturnDialog entry={entry} isOpen={open === 'draft'} onClose={close} />
    </>
  )
}

type ReturnDialogProps = { entry: Entry; isOpen: boolean; onClose: () => void }

const ReturnDialog = ({ entry, isOpen, onClose }: ReturnDialogProps) => {
  const actions = useEntryActions()
  const isScheduled = entry.publishAt !== null || entry.unpublishAt !== null
  const away = entry.status === 'published' ? "It's removed from your website immediately. " : ''
  return (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={onClose}
      title={`Return “${nameOf(entry)}” to draft?`}
      consequence={`${away}${isScheduled ? 'Its schedule is canceled. ' : ''}Unpublished changes stay in the draft.`}
      confirmLabel="Return to draft"
      tone="primary"
      onConfirm={() => actions.withdraw('draft')}
    />
  )
}

const useCancel = () => {
  const actions = useEntryActions()
  return (action: 'publish' | 'unpublish') => {
    actions.schedule(action, null).catch((error: unknown) => {
      toast({ tone: 'danger', title: "Couldn't cancel the schedule", description: messageOf(error) })
    })
  }
}
