import { IconButton } from '@stoa/ui/button/button.tsx'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { CalendarX2, Copy, Ellipsis, ExternalLink, FileDiff, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { TrashDialog } from '../trash-dialog.tsx'
import { useEditor } from './editor-context.ts'
import { nameOf } from './labels.ts'
import { UnpublishDialog } from './publish-dialog.tsx'
import { UnpublishedDialog } from './unpublished-dialog.tsx'
import { useActs } from './use-acts.ts'

type Open = 'unpublish' | 'draft' | 'unpublished' | 'trash'

/** What is done with an entry less often. */
export const MoreMenu = () => {
  const { state, rights, canWrite, type } = useEditor()
  const acts = useActs()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { entry } = state
  if (entry === null || entry.deletedAt !== null) return null
  const { url } = entry
  const isLive = entry.status === 'published'
  const isScheduled = entry.publishAt !== null || entry.unpublishAt !== null
  const canMove = rights.move && state.conflict === null && !state.isSignedOut
  return (
    <>
      <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
        {isLive && url !== null ? (
          <MenuItem icon={<ExternalLink />} onSelect={() => void window.open(url, '_blank', 'noreferrer')}>
            View on website
          </MenuItem>
        ) : null}
        {entry.pending ? (
          <MenuItem icon={<FileDiff />} onSelect={() => setOpen('unpublished')}>
            Unpublished changes…
          </MenuItem>
        ) : null}
        {rights.write && type.kind === 'collection' ? (
          <MenuItem icon={<Copy />} onSelect={() => void acts.duplicate()}>
            Duplicate
          </MenuItem>
        ) : null}
        {rights.publish && (isLive || entry.publishAt !== null) ? (
          <MenuItem icon={<CalendarX2 />} disabled={!canWrite} onSelect={() => setOpen('unpublish')}>
            Unpublish…
          </MenuItem>
        ) : null}
        {isLive || isScheduled ? (
          <MenuItem icon={<RotateCcw />} disabled={!canMove} onSelect={() => setOpen('draft')}>
            Return to draft
          </MenuItem>
        ) : null}
        {rights.move ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger disabled={!canMove} onSelect={() => setOpen('trash')}>
              Move to trash
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {open === 'unpublish' ? <UnpublishDialog onClose={close} /> : null}
      {open === 'unpublished' ? <UnpublishedDialog onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'draft'}
        onOpenChange={close}
        title={`Return “${nameOf(entry)}” to draft?`}
        consequence={`${isLive ? "It's removed from your website immediately. " : ''}${isScheduled ? 'Its schedule is canceled. ' : ''}Unpublished changes stay in the draft.`}
        confirmLabel="Return to draft"
        tone="primary"
        onConfirm={() => acts.withdraw('draft')}
      />
      {open === 'trash' ? <TrashDialog entry={entry} onClose={close} onConfirm={acts.trash} /> : null}
    </>
  )
}
