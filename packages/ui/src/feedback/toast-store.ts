export type ToastTone = 'neutral' | 'success' | 'danger'

export type ToastInput = {
  title: string
  description?: string
  tone?: ToastTone
  /** "Undo", "View": one action; the toast goes away after it. */
  action?: { label: string; onAction: () => void }
  /** Progress of the work that runs while the toast is shown. */
  progress?: { done: number; total: number; unit: string }
  /** Counts down to a moment in place of the title, then another toast says that it is done. */
  countdown?: { from: number; until: number; words: (seconds: number) => string; done: string }
  /** How long it stays. Problems stay until closed. */
  durationMs?: number | null
}

export type ToastRecord = ToastInput & { id: number; tone: ToastTone; durationMs: number | null }

const STAY_MS = 6000
// An action such as Undo needs time to be read and reached
const STAY_WITH_ACTION_MS = 12_000
// More would cover the page; the oldest goes first
const MAX_SHOWN = 4

type ToastStore = {
  show: (input: ToastInput) => number
  /** Changes what one says that is still there. */
  update: (id: number, changes: Partial<ToastInput>) => void
  close: (id: number) => void
  list: () => readonly ToastRecord[]
  subscribe: (listener: () => void) => () => void
}

export const createToastStore = (): ToastStore => {
  let toasts: readonly ToastRecord[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const set = (next: readonly ToastRecord[]) => {
    toasts = next
    for (const listener of listeners) listener()
  }
  return {
    show: (input) => {
      lastId += 1
      const tone = input.tone ?? 'neutral'
      set([...toasts, { ...input, id: lastId, tone, durationMs: stay(input, tone) }].slice(-MAX_SHOWN))
      return lastId
    },
    update: (id, changes) => set(toasts.map((toast) => (toast.id === id ? { ...toast, ...changes, id } : toast))),
    close: (id) => set(toasts.filter((toast) => toast.id !== id)),
    list: () => toasts,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const stay = (input: ToastInput, tone: ToastTone): number | null => {
  if (input.countdown) return null
  if (input.durationMs !== undefined) return input.durationMs
  if (tone === 'danger') return null
  return input.action ? STAY_WITH_ACTION_MS : STAY_MS
}

/** The toasts of this page. */
export const toasts = createToastStore()

/** Says the result of an action in passing: "Entry published". Anything that must be read belongs on the page. */
export const toast = (input: ToastInput): number => toasts.show(input)
