import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf, problemOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { dayIn, nameOfDay, timeIn } from '../calendar/days.ts'
import { cancelPost, deletePost, publishPost, schedulePost, socialKey, useSiteZone } from '../queries.ts'
import type { SocialPost } from '../wire.ts'

type Known = Pick<SocialPost, 'id' | 'version'>

/** "Tue 3 Mar, 14:30". */
export const momentIn = (zone: string, at: string): string =>
  `${nameOfDay(dayIn(zone, at), 'short')}, ${timeIn(zone, at)}`

/** The actions on a post, each with its texts. */
export const usePostActions = () => {
  const queryClient = useQueryClient()
  const zone = useSiteZone()
  const [busy, setBusy] = useState<string>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: socialKey })

  const schedule = async (post: Known, at: string): Promise<SocialPost> => {
    const saved = await schedulePost(post.id, at, post.version)
    toast({ tone: 'success', title: `Post scheduled for ${momentIn(zone, at)}` })
    void refresh()
    return saved
  }
  const publish = async (post: Known, targetIds?: readonly string[]): Promise<SocialPost | undefined> => {
    setBusy(targetIds?.length === 1 ? targetIds[0] : 'publish')
    try {
      const saved = await publishPost(post.id, post.version, targetIds)
      toast(resultOf(saved))
      return saved
    } catch (error) {
      const { message, fields } = problemOf(error)
      const description = [message, ...fields.map((field) => field.message)].join(' ')
      toast({ tone: 'danger', title: "Couldn't send the post", description })
      return undefined
    } finally {
      setBusy(undefined)
      void refresh()
    }
  }
  const cancel = async (post: Known): Promise<void> => {
    setBusy('cancel')
    try {
      await cancelPost(post.id, post.version)
      toast({ tone: 'success', title: 'Schedule canceled', description: 'The post is a draft again.' })
    } catch (error) {
      toast({ tone: 'danger', title: "Couldn't cancel the schedule", description: messageOf(error) })
    } finally {
      setBusy(undefined)
      void refresh()
    }
  }
  const remove = async (post: Known): Promise<void> => {
    await deletePost(post.id, post.version)
    toast({ tone: 'success', title: 'Post deleted' })
    void refresh()
  }
  return { busy, schedule, publish, cancel, remove }
}

const resultOf = ({ status }: SocialPost) => {
  if (status === 'posted') return { tone: 'success', title: 'Post published' } as const
  if (status === 'partial')
    return { tone: 'danger', title: 'Some accounts failed', description: 'See each account below.' } as const
  if (status === 'failed')
    return { tone: 'danger', title: 'Publishing failed', description: 'See each account below.' } as const
  return { tone: 'neutral', title: 'Publishing…', description: 'The networks are working on it.' } as const
}
