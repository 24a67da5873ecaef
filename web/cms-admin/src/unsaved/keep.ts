import type { Kept } from './store.ts'

/** After so long a person has forgotten what the copy was. */
export const MAX_AGE_MS = 30 * 86_400_000

/** The newest copy that says something, and all that are of no use any more. */
export const chooseKept = <K extends Kept>(copies: readonly K[], saysSomething: (kept: K) => boolean, now: number) => {
  const useful = copies
    .filter((kept) => now - kept.at < MAX_AGE_MS && saysSomething(kept))
    .toSorted((a, b) => b.at - a.at)
  const [offered] = useful
  return { offered, useless: copies.filter((kept) => !useful.includes(kept)) }
}

/** Often enough to lose a word at most, seldom enough not to be felt while typing. */
const KEEP_MS = 300

/** Keeps when nothing more comes for a moment after a change, and at once when the page goes out of sight or ends. */
export const createKeeper = (keep: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const atOnce = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    keep()
  }
  const ends = ['beforeunload', 'pagehide'] as const
  document.addEventListener('visibilitychange', atOnce)
  for (const type of ends) window.addEventListener(type, atOnce)
  return {
    changed: () => {
      timer ??= setTimeout(atOnce, KEEP_MS)
    },
    end: () => {
      atOnce()
      document.removeEventListener('visibilitychange', atOnce)
      for (const type of ends) window.removeEventListener(type, atOnce)
    },
  }
}
