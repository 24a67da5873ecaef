import type { Folder } from '@stoa/mail-model/folders.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { type MessageActions, useMessageActions } from '../actions/use-message-actions.ts'
import { isMessageDrag, takeDragged } from '../list/drag.ts'
import { folderFor, moveFolder } from './folder-drag.ts'

/** A drop target for messages and folders; `top` is the top level. */
export type DropTarget = { kind: 'folder'; folder: Folder } | { kind: 'label'; label: string } | { kind: 'top' }

/** Folders that mail is not put into by hand. */
const CLOSED: readonly Folder['role'][] = ['drafts', 'snoozed']

const takesMessages = (target: DropTarget): boolean =>
  target.kind === 'label' || (target.kind === 'folder' && !CLOSED.includes(target.folder.role))

const folderOn = (event: DragEvent, target: DropTarget): Folder | undefined =>
  target.kind === 'label' ? undefined : folderFor(event, target.kind === 'top' ? null : target.folder)

const takes = (event: DragEvent, target: DropTarget): boolean =>
  isMessageDrag(event) ? takesMessages(target) : folderOn(event, target) !== undefined

/** Lets messages and folders be dropped on a place. Keys do the same by the menus of messages and folders. */
export const useDrop = (target: DropTarget | undefined) => {
  const queryClient = useQueryClient()
  const actions = useMessageActions()
  const [isOver, setOver] = useState(false)
  // Entering a part of the place comes before leaving another
  const depth = useRef(0)
  if (!target) return { isOver: false, handlers: {} }
  const enter = (event: DragEvent) => {
    if (!takes(event, target)) return
    event.preventDefault()
    depth.current += 1
    setOver(true)
  }
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1)
    if (depth.current === 0) setOver(false)
  }
  const drop = async (event: DragEvent) => {
    if (!takes(event, target)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const folder = folderOn(event, target)
    if (folder) return moveFolder(queryClient, folder, target.kind === 'folder' ? target.folder : null)
    try {
      const ids = await takeDragged()?.ids()
      if (!ids) return
      await put(actions, ids, target)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't update the messages", description: messageOf(error) })
    }
  }
  return {
    isOver,
    handlers: {
      onDragEnter: enter,
      onDragOver: (event: DragEvent) => {
        if (takes(event, target)) event.preventDefault()
      },
      onDragLeave: leave,
      onDrop: (event: DragEvent) => void drop(event),
    },
  }
}

const put = (actions: MessageActions, ids: readonly string[], target: DropTarget): Promise<void> => {
  const messages = { ids }
  if (target.kind === 'top') return Promise.resolve()
  if (target.kind === 'label') return actions.label(messages, { add: [target.label] })
  if (target.folder.role === 'trash') return actions.trash(messages)
  if (target.folder.role === 'junk') return actions.junk(messages, true)
  return target.folder.role === 'archive' ? actions.archive(messages) : actions.move(messages, target.folder)
}
