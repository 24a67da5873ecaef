import { Button } from '@stoa/ui/button/button.tsx'
import { RefreshCw, WifiOff } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { StreamState } from './stream.ts'

/** Lines break for a moment all the time; only what lasts is worth a word. */
const GRACE_MS = 4000

type ConnectionNoticeProps = { state: StreamState; onRetry: () => void }

/** Says that nothing new can be seen and nothing sent. A part of the page above the rest: it covers nothing. */
export const ConnectionNotice = ({ state, onRetry }: ConnectionNoticeProps) => {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const isBroken = useLasting(state === 'broken')
  const isShown = !isOnline || isBroken
  return (
    <div role="status" className="shrink-0">
      {isShown ? (
        <div className="flex min-h-9 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-draft-line border-b bg-draft-soft px-4 py-1 text-draft-ink text-sm">
          <span className="flex min-w-0 items-center gap-3">
            <WifiOff aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0">
              {isOnline ? (
                <>
                  <strong className="font-medium">Can't connect to the server.</strong> We'll keep trying. Your drafts
                  are saved in this browser.
                </>
              ) : (
                <>
                  <strong className="font-medium">You're offline.</strong> Your drafts are saved in this browser until
                  you're back online.
                </>
              )}
            </span>
          </span>
          {isOnline ? (
            <Button size="sm" icon={<RefreshCw />} onClick={onRetry}>
              Retry now
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

const useLasting = (holds: boolean): boolean => {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!holds) return setLasts(false)
    const timer = setTimeout(() => setLasts(true), GRACE_MS)
    return () => clearTimeout(timer)
  }, [holds])
  return holds && lasts
}

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
