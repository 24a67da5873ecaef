import { useSyncExternalStore } from 'react'
import { Tooltip } from '../layer/tooltip.tsx'
import { formatAbsolute, formatRelative } from '../text/format.ts'

type RelativeTimeProps = { at: string | Date; className?: string }

/** "3 minutes ago", kept up to date, with the exact moment on hover and focus. */
export const RelativeTime = ({ at, className }: RelativeTimeProps) => {
  const tick = useSyncExternalStore(subscribe, () => minute)
  const date = typeof at === 'string' ? new Date(at) : at
  if (Number.isNaN(date.getTime())) return null
  return (
    <Tooltip label={formatAbsolute(date)}>
      <time dateTime={date.toISOString()} data-tick={tick} className={className}>
        {formatRelative(date, new Date())}
      </time>
    </Tooltip>
  )
}

// One clock for all times on the page
const TICK_MS = 30_000
let minute = 0
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(() => {
    minute += 1
    for (const notify of listeners) notify()
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
