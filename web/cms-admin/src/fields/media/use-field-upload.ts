import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { mediaQuery } from '../../media/queries.ts'
import { isRunning, summaryOf, type UploadItem } from '../../media/upload/upload-queue.ts'
import { uploads, useUploads } from '../../media/upload/uploads.ts'
import { useUpload } from '../../media/upload/use-upload.ts'

export type FieldUpload = {
  start: (files: readonly File[]) => void
  cancel: () => void
  retry: (item: UploadItem) => void
  /** Forgets what failed. */
  dismiss: () => void
  running: number
  /** How much of all bytes is sent, from 0 to 1. */
  share: number
  failed: readonly UploadItem[]
}

/** Sends files into the library, and hands those over that arrived, in the order in which they were given. */
export const useFieldUpload = (
  accept: readonly string[],
  onUploaded: (media: readonly MediaRecord[]) => void,
): FieldUpload => {
  const add = useUpload()
  const client = useQueryClient()
  const queue = useUploads()
  const [batches, setBatches] = useState<readonly number[]>([])
  const [handed, setHanded] = useState<ReadonlySet<number>>(new Set())
  const own = queue.filter(({ batch }) => batches.includes(batch))
  const running = own.filter(isRunning)
  const arrived = own.filter(({ id, status }) => status === 'done' && !handed.has(id))
  const mayHandOver = running.length === 0 && arrived.length > 0
  const handOver = useEffectEvent(() => {
    const media = arrived.flatMap((item) => item.media ?? [])
    for (const record of media) client.setQueryData(mediaQuery(record.id).queryKey, record)
    setHanded(new Set([...handed, ...arrived.map(({ id }) => id)]))
    onUploaded(media)
  })
  useEffect(() => {
    if (mayHandOver) handOver()
  }, [mayHandOver])
  return {
    start: (files) => {
      const batch = add(files, { accept })
      setBatches((known) => [...known, batch])
    },
    cancel: () => {
      for (const { id } of running) uploads.cancel(id)
    },
    retry: ({ id }) => uploads.retry(id),
    dismiss: () => setBatches([]),
    running: running.length,
    share: summaryOf(own).share,
    failed: own.filter(({ status }) => status === 'failed'),
  }
}
