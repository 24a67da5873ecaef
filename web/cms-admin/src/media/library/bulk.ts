import { messageOf } from '@stoa/ui/request/problem.ts'

export type BulkProblem<T> = { item: T; problem: string }

export type BulkResult<T> = { done: number; failed: readonly BulkProblem<T>[]; cancelled: number }

type BulkOptions<T> = {
  action: (item: T) => Promise<unknown>
  /** After each item. */
  onProgress: (ended: number) => void
  signal: AbortSignal
  /** How many at once; the service has other work, too. */
  parallel?: number
}

/** Does one thing to many items; what fails for one does not stop the others. */
export const runBulk = async <T>(
  items: readonly T[],
  { action, onProgress, signal, parallel = 4 }: BulkOptions<T>,
): Promise<BulkResult<T>> => {
  const failed: BulkProblem<T>[] = []
  let next = 0
  let ended = 0
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      const item = items[next]
      if (item === undefined) return
      next += 1
      try {
        await action(item)
      } catch (error) {
        failed.push({ item, problem: messageOf(error) })
      }
      ended += 1
      onProgress(ended)
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return { done: ended - failed.length, failed, cancelled: items.length - ended }
}
