import { useEffect } from 'react'

/**
 * The tabs of a browser share one cookie: when another one signs in as somebody else, what this one shows is no longer
 * what its requests are about. It starts again as that person. Somebody who wants to see first what they typed is asked
 * again when they come back to it.
 */
export const useAccountSwitchGuard = (channelName: string, id: string): void => {
  useEffect(() => {
    const leaving = new AbortController()
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (data === id) return
      window.addEventListener('focus', () => location.reload(), { signal: leaving.signal })
      location.reload()
    })
    channel.postMessage(id)
    return () => {
      leaving.abort()
      channel.close()
    }
  }, [channelName, id])
}
