import { EgressFailed } from './errors.ts'

/** One time limit over several steps, together with the caller's own signal. */
export type Deadline = {
  readonly signal: AbortSignal
  /** For steps that cannot be cancelled: gives up waiting when the time is over. */
  race<R>(step: Promise<R>): Promise<R>
  /** Must be called when the work is done. */
  end(): void
}

export const startDeadline = (timeoutMs: number, outer?: AbortSignal): Deadline => {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new EgressFailed('timeout')), timeoutMs)
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
    end: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
