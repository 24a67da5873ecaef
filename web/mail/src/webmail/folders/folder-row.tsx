import { IconButton } from '@stoa/ui/button/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { ChevronDown, ChevronRight, Ellipsis, FolderPlus, MailOpen, Pencil, Trash2 } from 'lucide-react'
import { useMessageActions } from '../actions/use-message-actions.ts'
import { folderName, placeOfFolder } from '../places.ts'
import type { FolderQuestion } from './folder-dialogs.tsx'
import { endFolderDrag, startFolderDrag } from './folder-drag.ts'
import { FolderSign } from './folder-icon.tsx'
import { type CountedBy, countOf, type FolderNode, unreadBelow } from './folder-tree.ts'
import { PlaceLink } from './place-link.tsx'

type FolderRowProps = {
  node: FolderNode
  countedBy: CountedBy
  depth: number
  isCurrent: boolean
  isFolded: boolean
  onFold: () => void
  onAsk: (question: FolderQuestion) => void
  onGo: (() => void) | undefined
}

/** A folder in the navigation: its number, and what can be done with it. */
export const FolderRow = ({ node, countedBy, depth, isCurrent, isFolded, onFold, onAsk, onGo }: FolderRowProps) => {
  const { folder, children } = node
  const count = countOf(folder, countedBy) + (isFolded ? unreadBelow(node, countedBy) : 0)
  const name = folderName(folder)
  return (
    <PlaceLink
      place={placeOfFolder(folder)}
      icon={<FolderSign role={folder.role} />}
      label={name}
      count={count}
      isUnread={folder.role !== 'drafts' && folder.role !== 'snoozed' && folder.role !== 'junk'}
      isCurrent={isCurrent}
      depth={depth}
      drop={{ kind: 'folder', folder }}
      drag={
        folder.role === null ? { onStart: (event) => startFolderDrag(event, folder), onEnd: endFolderDrag } : undefined
      }
      onGo={onGo}
      before={children.length > 0 ? <FoldButton name={name} isFolded={isFolded} onFold={onFold} /> : null}
      after={<FolderMenu node={node} name={name} onAsk={onAsk} />}
    />
  )
}

type FoldButtonProps = { name: string; isFolded: boolean; onFold: () => void }

const FoldButton = ({ name, isFolded, onFold }: FoldButtonProps) => (
  <button
    type="button"
    aria-expanded={!isFolded}
    aria-label={`Folders in ${name}`}
    onClick={onFold}
    className="-mr-2 -ml-1.5 z-1 flex h-full w-3.5 shrink-0 items-center justify-center rounded-sm text-faint hover:text-ink touch:-mr-2.5 touch:-ml-2 touch:w-7 [&>svg]:size-3"
  >
    {isFolded ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
  </button>
)

type FolderMenuProps = { node: FolderNode; name: string; onAsk: (question: FolderQuestion) => void }

const FolderMenu = ({ node: { folder }, name, onAsk }: FolderMenuProps) => {
  const actions = useMessageActions()
  const isOwn = folder.role === null
  const canEmpty = folder.role === 'trash' || folder.role === 'junk'
  return (
    <span
      className={cx(
        'absolute top-1/2 right-0.5 -translate-y-1/2 opacity-0 transition-opacity',
        'focus-within:opacity-100 group-hover/place:opacity-100 has-data-[state=open]:opacity-100 touch:opacity-100',
      )}
    >
      <Menu
        align="start"
        trigger={<IconButton size="sm" label={`Actions for ${name}`} icon={<Ellipsis />} className="touch:size-9" />}
      >
        <MenuItem
          icon={<MailOpen />}
          disabled={folder.unread === 0}
          onSelect={() =>
            void actions.markSeen({ query: { folder_id: folder.id, unread: true }, total: folder.unread }, true)
          }
        >
          Mark all as read
        </MenuItem>
        {canEmpty ? (
          <MenuItem
            icon={<Trash2 />}
            danger
            disabled={folder.total === 0}
            onSelect={() => onAsk({ kind: 'empty', folder })}
          >
            Empty {name}…
          </MenuItem>
        ) : (
          <MenuItem icon={<FolderPlus />} onSelect={() => onAsk({ kind: 'new', parent: folder })}>
            New subfolder…
          </MenuItem>
        )}
        {isOwn ? (
          <>
            <MenuItem icon={<Pencil />} onSelect={() => onAsk({ kind: 'edit', folder })}>
              Rename or move…
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={<Trash2 />} danger onSelect={() => onAsk({ kind: 'delete', folder })}>
              Delete…
            </MenuItem>
          </>
        ) : null}
      </Menu>
    </span>
  )
}
