import type { BulkResults } from '@stoa/cms-model/entries.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { entriesKey } from '../queries.ts'
import { type BulkProgress, runBulk } from './bulk.ts'
import type { BulkRun } from './bulk-dialog.tsx'

type BulkStart = Pick<BulkRun, 'doing' | 'done'> & {
  ids: readonly string[]
  change: (ids: string[]) => Promise<BulkResults>
  onEnd: (progress: BulkProgress) => void
}

export type Bulk = {
  /** The work under way, or the last one; it stays to be read. */
  run: BulkRun | undefined
  isShown: boolean
  start: (work: BulkStart) => Promise<void>
  cancel: () => void
  show: () => void
  hide: () => void
}

/** One change of many entries at a time. */
export const useBulk = (): Bulk => {
  const queryClient = useQueryClient()
  const [run, setRun] = useState<BulkRun>()
  const [isShown, setShown] = useState(false)
  const cancelled = useRef(false)
  return {
    run,
    isShown,
    start: async ({ ids, change, doing, done, onEnd }) => {
      cancelled.current = false
      const words = { doing, done, total: ids.length }
      setRun({ ...words, progress: { state: 'running', outcomes: [] } })
      setShown(true)
      const progress = await runBulk({
        ids,
        change,
        isCancelled: () => cancelled.current,
        onProgress: (now) => setRun({ ...words, progress: now }),
      })
      await queryClient.invalidateQueries({ queryKey: entriesKey })
      const whole = progress.state === 'done' && progress.outcomes.every(({ ok }) => ok)
      if (whole) setShown(false)
      onEnd(progress)
    },
    cancel: () => {
      cancelled.current = true
    },
    show: () => setShown(true),
    hide: () => setShown(false),
  }
}
