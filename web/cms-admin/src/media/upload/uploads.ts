import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { useSyncExternalStore } from 'react'
import { type UploadOptions, uploadFile } from './upload-file.ts'
import { isRunning, startable, step, type UploadEvent, type UploadQueue } from './upload-queue.ts'

/** More at once would not be quicker, and would starve the rest of the page. */
const PARALLEL = 3

type GivenFile = {
  file: File
  /** Why it is not even tried. */
  problem?: string | undefined
}

type Send = (file: File, options: UploadOptions) => Promise<MediaRecord>

/** The uploads of this page: they go on while screens change. */
export const createUploads = (send: Send) => {
  let queue: UploadQueue = []
  let lastId = 0
  let lastBatch = 0
  let owner: string | undefined
  const files = new Map<number, File>()
  const stops = new Map<number, AbortController>()
  const listeners = new Set<() => void>()

  const dispatch = (event: UploadEvent): void => {
    const next = step(queue, event)
    if (next === queue) return
    queue = next
    for (const listener of listeners) listener()
  }
  const run = async (id: number): Promise<void> => {
    const file = files.get(id)
    const item = queue.find((other) => other.id === id)
    if (!file || !item) return
    const stop = new AbortController()
    stops.set(id, stop)
    dispatch({ kind: 'start', id })
    try {
      const onProgress = (share: number) => dispatch({ kind: 'progress', id, share })
      const media = await send(file, { folder: item.folder, onProgress, signal: stop.signal })
      files.delete(id)
      dispatch({ kind: 'done', id, media })
    } catch (error) {
      dispatch({ kind: 'fail', id, problem: messageOf(error), retryable: mayWorkAgain(error) })
    } finally {
      if (stops.get(id) === stop) stops.delete(id)
      pump()
    }
  }
  const pump = (): void => {
    for (const id of startable(queue, PARALLEL)) void run(id)
  }
  const cancel = (id: number): void => {
    dispatch({ kind: 'cancel', id })
    stops.get(id)?.abort()
    pump()
  }
  const cancelAll = (): void => {
    for (const { id } of queue.filter(isRunning)) dispatch({ kind: 'cancel', id })
    for (const stop of stops.values()) stop.abort()
  }
  const clear = (): void => {
    dispatch({ kind: 'clear' })
    const kept = new Set(queue.map(({ id }) => id))
    for (const id of files.keys()) if (!kept.has(id)) files.delete(id)
  }
  return {
    list: (): UploadQueue => queue,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Begins to send these, and names them as one batch. */
    add: (given: readonly GivenFile[], { folder = '' }: { folder?: string } = {}): number => {
      lastBatch += 1
      const uploads = given.map(({ file, problem }) => {
        lastId += 1
        if (problem === undefined) files.set(lastId, file)
        return { id: lastId, batch: lastBatch, name: file.name, size: file.size, folder, problem }
      })
      dispatch({ kind: 'add', uploads })
      pump()
      return lastBatch
    },
    cancel,
    cancelAll,
    retry: (id: number): void => {
      dispatch({ kind: 'retry', id })
      pump()
    },
    retryAll: (): void => {
      for (const { id, status } of queue) if (status === 'failed') dispatch({ kind: 'retry', id })
      pump()
    },
    /** Forgets what has ended. */
    clear,
    /** Files that someone else had chosen are not sent for this person. */
    claim: (person: string): void => {
      if (owner !== undefined && owner !== person) {
        cancelAll()
        clear()
      }
      owner = person
    },
  }
}

export const uploads = createUploads(uploadFile)

/** The queue of this page, kept up to date. */
export const useUploads = (): UploadQueue => useSyncExternalStore(uploads.subscribe, uploads.list)

/** The service has the last word about what a file is: that does not change by asking again. */
const mayWorkAgain = (error: unknown): boolean =>
  !(error instanceof RequestError) || ![400, 413, 415].includes(error.status)
