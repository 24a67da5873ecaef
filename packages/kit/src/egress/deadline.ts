import { EgressFailed, type LimitName } from './errors.ts'

/** Time limits over several steps, together with the caller's own signal. */
export type Deadline = {
  readonly signal: AbortSignal
  /** For steps that cannot be canceled: gives up waiting when the time is over. */
  race<R>(step: Promise<R>): Promise<R>
  /** A shorter limit inside the whole, named in the error when it is reached. */
  limit(name: LimitName, ms: number): StepLimit
  /** The time goes on, but does not keep the process from ending. */
  unref(): void
  /** Must be called when the work is done. */
  end(): void
}

/** Counts only between `start` and `end`; another `start` begins anew. */
export type StepLimit = { start(): void; end(): void }

export const startDeadline = (timeoutMs: number, outer?: AbortSignal): Deadline => {
  const controller = new AbortController()
  const { signal } = controller
  const running = new Set<NodeJS.Timeout>()
  const startTimer = (name: LimitName, ms: number): NodeJS.Timeout => {
    const timer = setTimeout(() => controller.abort(new EgressFailed('timeout', undefined, { name, value: ms })), ms)
    running.add(timer)
    return timer
  }
  const stopTimer = (timer: NodeJS.Timeout): void => {
    clearTimeout(timer)
    running.delete(timer)
  }
  startTimer('total', timeoutMs)
  const onOuter = () => controller.abort(outer?.reason)
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter)

  return {
    signal,
    race: (step) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason)
        if (signal.aborted) onAbort()
        signal.addEventListener('abort', onAbort)
        step.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
      }),
    limit(name, ms) {
      let timer: NodeJS.Timeout | undefined
      const end = () => {
        if (timer) stopTimer(timer)
      }
      const start = () => {
        end()
        timer = startTimer(name, ms)
      }
      return { start, end }
    },
    unref: () => {
      for (const timer of running) timer.unref()
    },
    end: () => {
      for (const timer of [...running]) stopTimer(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
