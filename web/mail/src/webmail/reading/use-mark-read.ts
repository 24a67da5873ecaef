import { useEffect, useEffectEvent, useRef } from 'react'
import { useMessageActions } from '../actions/use-message-actions.ts'

/**
 * Marks what is open and unread as read, so many seconds after somebody looks at it; null: never. What was marked once is
 * left alone: marking it unread again is on purpose.
 */
export const useMarkRead = (unreadIds: readonly string[], seconds: number | null): void => {
  const actions = useMessageActions()
  const marked = useRef(new Set<string>())
  const fresh = unreadIds.filter((id) => !marked.current.has(id))
  const key = fresh.join(' ')
  const mark = useEffectEvent(() => {
    for (const id of fresh) marked.current.add(id)
    void actions.markSeen({ ids: fresh }, true, { quiet: true })
  })
  useEffect(() => {
    if (key === '' || seconds === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // A hidden tab marks nothing as read
    const watch = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = setTimeout(mark, seconds * 1000)
    }
    watch()
    document.addEventListener('visibilitychange', watch)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', watch)
    }
  }, [key, seconds])
}
