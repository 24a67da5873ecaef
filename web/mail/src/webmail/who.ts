import { useEffect } from 'react'

const CHANNEL = 'stoa-mail:who'

/**
 * The tabs of a browser share one cookie: when another one signs in to another mailbox, what this one shows is no longer
 * what its requests are about. It starts again as that mailbox; what is written is kept for its own.
 */
export const useOneMailbox = (mailboxId: string): void => {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data !== mailboxId) location.reload()
    })
    channel.postMessage(mailboxId)
    return () => channel.close()
  }, [mailboxId])
}
