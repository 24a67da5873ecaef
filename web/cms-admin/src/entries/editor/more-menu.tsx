import { IconButton } from '@stoa/ui/button/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { Copy, Ellipsis, ExternalLink, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { TrashDialog } from '../trash-dialog.tsx'
import { useEditor } from './editor-context.ts'
import { useEntryActions } from './use-entry-actions.ts'

/** Less frequent actions on an entry; those that publish or unpublish are in the menu of its status. */
export const MoreMenu = () => {
  const { state, rights, type } = useEditor()
  const actions = useEntryActions()
  const [isTrashing, setIsTrashing] = useState(false)
  const { entry } = state
  if (entry === null || entry.deletedAt !== null) return null
  const { url } = entry
  const isLive = entry.status === 'published'
  const canMove = rights.move && state.conflict === null && !state.isSignedOut
  return (
    <>
      <Menu trigger={<IconButton variant="secondary" label="More actions" icon={<Ellipsis />} />}>
        {isLive && url !== null ? (
          <MenuItem icon={<ExternalLink />} onSelect={() => void window.open(url, '_blank', 'noreferrer')}>
            View on website
          </MenuItem>
        ) : null}
        {rights.write && type.kind === 'collection' ? (
          <MenuItem icon={<Copy />} onSelect={() => void actions.duplicate()}>
            Duplicate
          </MenuItem>
        ) : null}
        {rights.move ? (
          <>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger disabled={!canMove} onSelect={() => setIsTrashing(true)}>
              Move to trash
            </MenuItem>
          </>
        ) : null}
      </Menu>
      {isTrashing ? <TrashDialog entry={entry} onClose={() => setIsTrashing(false)} onConfirm={actions.trash} /> : null}
    </>
  )
}
