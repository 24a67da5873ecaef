/** How long to wait before the next try: longer each time, up to a limit, and never all clients at the same moment. */
export const pauseAfter = (
  failures: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number => {
  const longest = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), longestMs)
  return longest / 2 + (Math.random() * longest) / 2
}

/** Waits; ends at once with the signal's reason. */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
