import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { mediaKey } from '../queries.ts'
import { isRunning } from './upload-queue.ts'
import { uploads, useUploads } from './uploads.ts'

const UploadDock = lazy(async () => ({ default: (await import('./upload-dock.tsx')).UploadDock }))

/** Lists show what has arrived, without a request for each of many files. */
const REFRESH_MS = 400

/** Beside the screens: keeps uploads going and seen while they change. */
export const UploadDockHost = ({ person }: { person: string }) => {
  const queue = useUploads()
  const running = queue.some(isRunning)
  const done = queue.filter(({ status }) => status === 'done').length
  useEffect(() => uploads.claim(person), [person])
  useRefresh(done)
  useLeaveGuard(running)
  if (queue.length === 0) return null
  return (
    <Suspense>
      <UploadDock queue={queue} />
    </Suspense>
  )
}

const useRefresh = (done: number): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (done === 0) return
    const timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: mediaKey }), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [done, queryClient])
}

/** Only closing the page ends uploads: going to another screen needs no question. */
const useLeaveGuard = (running: boolean): void => {
  useEffect(() => {
    if (!running) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [running])
}
