import type { Folder } from '@stoa/mail-model/folders.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { type MessageActs, useMessageActs } from '../acts/use-message-acts.ts'
import { isMessageDrag, takeDragged } from '../list/drag.ts'
import { folderFor, moveFolder } from './folder-drag.ts'

/** A drop target for messages and folders; `top` is the top level. */
export type DropPlace = { kind: 'folder'; folder: Folder } | { kind: 'label'; label: string } | { kind: 'top' }

/** Folders that mail is not put into by hand. */
const CLOSED: readonly Folder['role'][] = ['drafts', 'snoozed']

const takesMessages = (place: DropPlace): boolean =>
  place.kind === 'label' || (place.kind === 'folder' && !CLOSED.includes(place.folder.role))

const folderOn = (event: DragEvent, place: DropPlace): Folder | undefined =>
  place.kind === 'label' ? undefined : folderFor(event, place.kind === 'top' ? null : place.folder)

const takes = (event: DragEvent, place: DropPlace): boolean =>
  isMessageDrag(event) ? takesMessages(place) : folderOn(event, place) !== undefined

/** Lets messages and folders be dropped on a place. Keys do the same by the menus of messages and folders. */
export const useDrop = (place: DropPlace | undefined) => {
  const queryClient = useQueryClient()
  const acts = useMessageActs()
  const [isOver, setOver] = useState(false)
  // Entering a part of the place comes before leaving another
  const depth = useRef(0)
  if (!place) return { isOver: false, handlers: {} }
  const enter = (event: DragEvent) => {
    if (!takes(event, place)) return
    event.preventDefault()
    depth.current += 1
    setOver(true)
  }
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1)
    if (depth.current === 0) setOver(false)
  }
  const drop = async (event: DragEvent) => {
    if (!takes(event, place)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const folder = folderOn(event, place)
    if (folder) return moveFolder(queryClient, folder, place.kind === 'folder' ? place.folder : null)
    try {
      const ids = await takeDragged()?.ids()
      if (!ids) return
      await put(acts, ids, place)
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't update the messages", description: messageOf(error) })
    }
  }
  return {
    isOver,
    handlers: {
      onDragEnter: enter,
      onDragOver: (event: DragEvent) => {
        if (takes(event, place)) event.preventDefault()
      },
      onDragLeave: leave,
      onDrop: (event: DragEvent) => void drop(event),
    },
  }
}

const put = (acts: MessageActs, ids: readonly string[], place: DropPlace): Promise<void> => {
  const target = { ids }
  if (place.kind === 'top') return Promise.resolve()
  if (place.kind === 'label') return acts.label(target, { add: [place.label] })
  if (place.folder.role === 'trash') return acts.trash(target)
  if (place.folder.role === 'junk') return acts.junk(target, true)
  return place.folder.role === 'archive' ? acts.archive(target) : acts.move(target, place.folder)
}
