import type { Folder } from '@stoa/mail-model/folders.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { rememberLabels } from '../acts/known-labels.ts'
import { type MessageActs, useMessageActs } from '../acts/use-message-acts.ts'
import { isMessageDrag, takeDragged } from '../list/drag.ts'

/** Where messages go that are dropped. */
export type DropPlace = { kind: 'folder'; folder: Folder } | { kind: 'label'; label: string }

/** Folders that mail is not put into by hand. */
const CLOSED: readonly Folder['role'][] = ['drafts', 'snoozed']

const takes = (place: DropPlace | undefined): place is DropPlace =>
  place !== undefined && !(place.kind === 'folder' && CLOSED.includes(place.folder.role))

/** Lets messages be dropped on a place. Keys do the same by the menus for folders and labels. */
export const useMessageDrop = (place: DropPlace | undefined) => {
  const queryClient = useQueryClient()
  const acts = useMessageActs()
  const [isOver, setOver] = useState(false)
  // Entering a part of the place comes before leaving another
  const depth = useRef(0)
  if (!takes(place)) return { isOver: false, handlers: {} }
  const enter = (event: DragEvent) => {
    if (!isMessageDrag(event)) return
    event.preventDefault()
    depth.current += 1
    setOver(true)
  }
  const leave = () => {
    depth.current = Math.max(0, depth.current - 1)
    if (depth.current === 0) setOver(false)
  }
  const drop = async (event: DragEvent) => {
    if (!isMessageDrag(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    try {
      const ids = await takeDragged()?.ids()
      if (!ids) return
      if (place.kind === 'label') rememberLabels(queryClient, [place.label])
      await put(acts, ids, place)
    } catch (error) {
      toast({ tone: 'danger', title: 'That did not work', description: messageOf(error) })
    }
  }
  return {
    isOver,
    handlers: {
      onDragEnter: enter,
      onDragOver: (event: DragEvent) => {
        if (isMessageDrag(event)) event.preventDefault()
      },
      onDragLeave: leave,
      onDrop: (event: DragEvent) => void drop(event),
    },
  }
}

const put = (acts: MessageActs, ids: readonly string[], place: DropPlace): Promise<void> => {
  const target = { ids }
  if (place.kind === 'label') return acts.label(target, { add: [place.label] })
  if (place.folder.role === 'trash') return acts.trash(target)
  if (place.folder.role === 'junk') return acts.junk(target, true)
  return place.folder.role === 'archive' ? acts.archive(target) : acts.move(target, place.folder)
}
