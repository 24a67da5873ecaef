import type { Me } from '@stoa/cms-model/accounts.ts'
import type { MediaFolder, MediaRecord } from '../queries.ts'
import { mayChange } from '../rights.ts'
import { AltDialog } from './alt-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { NewFolderDialog, RenameFolderDialog } from './folder-dialogs.tsx'
import { MoveDialog } from './move-dialog.tsx'

/** The action in progress on files or folders. */
export type Act =
  /** With `to`, they were dropped there. */
  | { kind: 'move'; ids: readonly string[]; to?: string }
  | { kind: 'alt' | 'delete'; ids: readonly string[] }
  | { kind: 'new-folder'; above: string }
  | { kind: 'rename-folder'; path: string }

type LibraryActsProps = {
  act: Act | undefined
  me: Me
  files: readonly MediaRecord[]
  folders: readonly MediaFolder[]
  onOpenFolder: (folder: string) => void
  onClose: () => void
  /** Something was done to the chosen files. */
  onDone: () => void
}

/** The dialog of what is being done. */
export const LibraryActs = ({ act, me, files, folders, onOpenFolder, onClose, onDone }: LibraryActsProps) => {
  if (!act) return null
  if (act.kind === 'new-folder')
    return <NewFolderDialog above={act.above} folders={folders} onOpen={onOpenFolder} onClose={onClose} />
  if (act.kind === 'rename-folder')
    return <RenameFolderDialog path={act.path} me={me} folders={folders} onRenamed={onOpenFolder} onClose={onClose} />
  const chosen = files.filter(({ id }) => act.ids.includes(id))
  const own = chosen.filter((media) => mayChange(me, media))
  const shared = { files: own, others: chosen.length - own.length, onClose, onDone }
  if (act.kind === 'move') return <MoveDialog {...shared} folders={folders} to={act.to} />
  if (act.kind === 'delete') return <DeleteDialog {...shared} />
  return <AltDialog files={own} others={shared.others} onClose={onClose} />
}
