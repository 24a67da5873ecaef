import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** What the service says has changed, and the parts of the cache that show it. */
const SHOWN_IN: Readonly<Record<string, readonly string[]>> = {
  domain: ['domains', 'overview'],
  transfer: ['transfers', 'overview'],
  email: ['emails', 'overview'],
  webhook: ['webhooks'],
}

/** Many things may happen at once; screens are drawn anew for all of them together. */
const GATHER_MS = 300

/** Keeps what is on the screens up to date while the panel is open. The browser comes back by itself when the line breaks. */
export const useLivePanel = (): void => {
  const queryClient = useQueryClient()
  useEffect(() => listen(queryClient), [queryClient])
}

const listen = (queryClient: QueryClient): (() => void) => {
  const stream = new EventSource('/api/events')
  let waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const refresh = () => {
    timer = undefined
    for (const key of waiting) void queryClient.invalidateQueries({ queryKey: [key] })
    waiting = new Set()
  }
  const note = (keys: readonly string[]) => {
    for (const key of keys) waiting.add(key)
    timer ??= setTimeout(refresh, GATHER_MS)
  }
  stream.addEventListener('change', ({ data }) => note(SHOWN_IN[typeOf(data)] ?? []))
  stream.addEventListener('reset', () => note(Object.values(SHOWN_IN).flat()))
  return () => {
    stream.close()
    clearTimeout(timer)
  }
}

const typeOf = (data: unknown): string => {
  const event: unknown = JSON.parse(String(data))
  return typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : ''
}
