import type { Me } from '@stoa/cms-model/accounts.ts'
import type { MediaFolder, MediaRecord } from '../queries.ts'
import { mayChange } from '../rights.ts'
import { AltDialog } from './alt-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewFolderDialog, RenameFolderDialog } from './folder-dialogs.tsx'
import { MoveDialog } from './move-dialog.tsx'

/** The action in progress on files or folders. */
export type LibraryAction =
  /** With `to`, they were dropped there. */
  | { kind: 'move'; ids: readonly string[]; to?: string }
  | { kind: 'alt' | 'delete'; ids: readonly string[] }
  | { kind: 'new-folder'; above: string }
  | { kind: 'rename-folder'; path: string }

type LibraryActionsProps = {
  action: LibraryAction | undefined
  me: Me
  files: readonly MediaRecord[]
  folders: readonly MediaFolder[]
  onOpenFolder: (folder: string) => void
  onClose: () => void
  /** Something was done to the chosen files. */
  onDone: () => void
}

/** The dialog of what is being done. */
export const LibraryActions = ({ action, me, files, folders, onOpenFolder, onClose, onDone }: LibraryActionsProps) => {
  if (!action) return null
  if (action.kind === 'new-folder')
    return <NewFolderDialog above={action.above} folders={folders} onOpen={onOpenFolder} onClose={onClose} />
  if (action.kind === 'rename-folder')
    return (
      <RenameFolderDialog path={action.path} me={me} folders={folders} onRenamed={onOpenFolder} onClose={onClose} />
    )
  const chosen = files.filter(({ id }) => action.ids.includes(id))
  const own = chosen.filter((media) => mayChange(me, media))
  const shared = { files: own, others: chosen.length - own.length, onClose, onDone }
  if (action.kind === 'move') return <MoveDialog {...shared} folders={folders} to={action.to} />
  if (action.kind === 'delete') return <DeleteDialog {...shared} />
  return <AltDialog files={own} others={shared.others} onClose={onClose} />
}
