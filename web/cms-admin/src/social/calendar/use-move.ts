import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { momentIn } from '../posts/use-post-actions.ts'
import { calendarQuery, schedulePost, socialKey, useSiteZone } from '../queries.ts'
import type { CalendarItem } from '../wire.ts'
import { pastProblem } from './move.ts'

type Range = { from: string; days: number }

/** Gives a post of the calendar another time, at once on the screen, with a way back. */
export const useMove = (range: Range) => {
  const queryClient = useQueryClient()
  const zone = useSiteZone()
  const { queryKey } = calendarQuery(range)
  const show = (item: CalendarItem, at: string) =>
    queryClient.setQueryData(queryKey, (now) =>
      now === undefined
        ? now
        : { items: now.items.map((one) => (one.postId === item.postId && one.at === item.at ? { ...one, at } : one)) },
    )
  const send = async (item: CalendarItem, at: string): Promise<boolean> => {
    await queryClient.cancelQueries({ queryKey })
    show(item, at)
    try {
      await schedulePost(item.postId, at, 'any')
      return true
    } catch (error) {
      show({ ...item, at }, item.at)
      toast({ tone: 'danger', title: "Couldn't move the post", description: messageOf(error) })
      return false
    } finally {
      void queryClient.invalidateQueries({ queryKey: socialKey })
    }
  }
  return async (item: CalendarItem, at: string): Promise<void> => {
    if (at === item.at) return
    const problem = pastProblem(at, new Date(), zone)
    if (problem !== undefined) {
      toast({ tone: 'danger', title: "Posts can't be moved into the past", description: problem, durationMs: 8000 })
      return
    }
    if (!(await send(item, at))) return
    const mayUndo = item.status === 'scheduled' && Date.parse(item.at) > Date.now()
    toast({
      tone: 'success',
      title: `Post moved to ${momentIn(zone, at)}`,
      ...(mayUndo ? { action: { label: 'Undo', onAction: () => void send({ ...item, at }, item.at) } } : {}),
    })
  }
}
