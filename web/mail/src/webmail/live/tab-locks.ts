/** Holds a lock until the signal; a browser without locks does not ask the other tabs. */
export const holdLock = async (
  name: string,
  mode: LockMode,
  signal: AbortSignal,
  onHeld: () => void,
): Promise<void> => {
  if (!('locks' in navigator)) return onHeld()
  const until = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    await navigator.locks.request(name, { mode, signal }, () => {
      onHeld()
      return until
    })
  } catch (error) {
    // Called off while it waited for its turn
    if (!signal.aborted) throw error
  }
}
