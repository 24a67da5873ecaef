import { messageOf } from './problem.ts'
import { isPassing } from './request.ts'

export type RunResult<T> = {
  /** How many items succeeded. */
  done: number
  failed: readonly { item: T; message: string }[]
  cancelled: boolean
}

type RunOptions = {
  signal?: AbortSignal
  /** After each one, whether it worked or not. */
  onProgress?: (settled: number) => void
  /** Before a refusal that passes is tried again. */
  pauseMs?: number
}

// The services let a person ask ten times a second
const PAUSE_MS = 1100
const MAX_TRIES = 5

/** Does the same with many things, one after the other: a busy service is waited for, a refusal stops only its own. */
export const runEach = async <T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
  { signal, onProgress, pauseMs = PAUSE_MS }: RunOptions = {},
): Promise<RunResult<T>> => {
  const failed: { item: T; message: string }[] = []
  let settled = 0
  for (const item of items) {
    if (signal?.aborted) break
    const message = await problemWith(() => action(item), pauseMs)
    if (message !== undefined) failed.push({ item, message })
    settled += 1
    onProgress?.(settled)
  }
  return { done: settled - failed.length, failed, cancelled: settled < items.length }
}

const problemWith = async (action: () => Promise<unknown>, pauseMs: number): Promise<string | undefined> => {
  for (let tries = 1; ; tries += 1) {
    try {
      await action()
      return undefined
    } catch (error) {
      if (!isPassing(error) || tries === MAX_TRIES) return messageOf(error)
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
