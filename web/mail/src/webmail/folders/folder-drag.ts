import type { Folder } from '@stoa/mail-model/folders.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { DragEvent } from 'react'
import { hasName } from '../../api.ts'
import { folderName } from '../places.ts'
import { foldersQuery } from '../queries.ts'
import { canContain } from './folder-tree.ts'
import { updateFolder } from './queries.ts'

/** A folder on its way into another one. */
const DRAG_TYPE = 'application/x-stoa-folder'

// A drop target may not read what is dragged before it is dropped; within one page it need not
let dragged: Folder | undefined

export const startFolderDrag = (event: DragEvent, folder: Folder): void => {
  dragged = folder
  event.dataTransfer.setData(DRAG_TYPE, folder.id)
  event.dataTransfer.effectAllowed = 'move'
}

export const endFolderDrag = (): void => {
  dragged = undefined
}

/** The folder that is dragged, where it can be put into this one; null: to the top. */
export const folderFor = ({ dataTransfer }: DragEvent, parent: Folder | null): Folder | undefined => {
  if (!dragged || !dataTransfer.types.includes(DRAG_TYPE) || dragged.parent_id === (parent?.id ?? null))
    return undefined
  return parent === null || canContain(parent, dragged) ? dragged : undefined
}

/** Puts a folder into another one, or to the top; it can be taken back. The dialog of a folder does the same. */
export const moveFolder = async (queryClient: QueryClient, folder: Folder, parent: Folder | null): Promise<void> => {
  const put = async (parentId: string | null) => {
    try {
      await updateFolder(folder.id, { parent_id: parentId })
      return true
    } catch (error) {
      const description = hasName(error, 'conflict')
        ? `A folder named “${folderName(folder)}” already exists there.`
        : messageOf(error)
      toast({ tone: 'danger', title: "Couldn't move the folder", description })
      return false
    } finally {
      await queryClient.invalidateQueries(foldersQuery)
    }
  }
  if (!(await put(parent?.id ?? null))) return
  toast({
    title: `${folderName(folder)} moved ${parent ? `to ${folderName(parent)}` : 'to the top level'}`,
    action: { label: 'Undo', onAction: () => void put(folder.parent_id) },
  })
}
