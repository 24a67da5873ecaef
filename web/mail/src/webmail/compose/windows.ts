import { newKey } from '@stoa/ui/browser/new-key.ts'
import type { Letter } from './letter.ts'
import { type DraftState, freshDraft, stepDraft } from './saving/draft-state.ts'

/** The content of a request whose response was lost, used to find the message again. */
export type Carried = { subject: string; text: string }

/** `inline`: below the message that it answers, while that is on the screen. */
export type ComposeView = 'docked' | 'minimised' | 'full' | 'inline'
export type FieldName = 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'files'

export type FieldProblems = { [field in FieldName]?: string | undefined }

export type ComposeWindow = {
  id: string
  /** Whose message it is: it is never shown to the owner of another mailbox. */
  mailboxId: string
  view: Exclude<ComposeView, 'inline'>
  /** The message below which it is written, until it is taken out of there. */
  inlineAt: string | null
  /** `closing` and `sent` windows are not shown: one waits for its draft to be saved, the other can be taken back. */
  phase: 'loading' | 'writing' | 'sending' | 'closing' | 'sent'
  letter: Letter
  draft: DraftState
  /** The saved draft; another one after each save. */
  draftId: string | null
  /** The files of the saved draft, see `shapeOf`. */
  draftShape: string
  shownFields: { cc: boolean; bcc: boolean }
  /** The field that has the focus first. */
  focus: 'to' | 'body'
  problem: string | null
  fieldProblems: FieldProblems
  /** A save whose answer was lost. */
  lostSave: Carried | null
  /** A send whose answer was lost. */
  lostSend: Carried | null
  /** Counts replacements of the body from outside: the editor takes the new one. */
  bodyRevision: number
}

type Listener = () => void

let windows: readonly ComposeWindow[] = []
const listeners = new Set<Listener>()
const editListeners = new Set<(id: string) => void>()

/** All windows, also those that are not shown. They live here and not in a screen, so that no screen can lose them. */
export const allWindows = (): readonly ComposeWindow[] => windows

export const windowOf = (id: string): ComposeWindow | undefined => windows.find((one) => one.id === id)

export const subscribeWindows = (listener: Listener): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Calls the listener on every change of a text. */
export const onEdited = (listener: (id: string) => void): (() => void) => {
  editListeners.add(listener)
  return () => editListeners.delete(listener)
}

const set = (next: readonly ComposeWindow[]): void => {
  windows = next
  for (const listener of listeners) listener()
}

export type NewWindow = Pick<ComposeWindow, 'mailboxId' | 'letter'> & Partial<ComposeWindow>

const createWindow = (given: NewWindow): ComposeWindow => ({
  id: newKey(),
  view: 'docked',
  inlineAt: null,
  phase: 'writing',
  draft: freshDraft(),
  draftId: null,
  draftShape: '',
  shownFields: { cc: given.letter.cc.length > 0, bcc: given.letter.bcc.length > 0 },
  focus: 'to',
  problem: null,
  fieldProblems: {},
  lostSave: null,
  lostSend: null,
  bodyRevision: 0,
  ...given,
})

/** The width of a docked window. When more are open than fit, the oldest are minimized. */
const DOCKED_WIDTH = 556

export const addWindow = (given: NewWindow): ComposeWindow => {
  const made = createWindow(given)
  set([...windows, made])
  if (made.inlineAt === null) dockFew(made.id)
  return made
}

const dockFew = (keep: string): void => {
  const docked = windows.filter(
    ({ view, inlineAt, phase, id }) => id !== keep && view === 'docked' && inlineAt === null && isShown({ phase }),
  )
  const others = Math.max(1, Math.floor(window.innerWidth / DOCKED_WIDTH)) - 1
  for (const { id } of docked.slice(0, Math.max(0, docked.length - others))) updateWindow(id, { view: 'minimised' })
}

export const isShown = ({ phase }: Pick<ComposeWindow, 'phase'>): boolean => phase !== 'closing' && phase !== 'sent'

export const removeWindow = (id: string): void => set(windows.filter((one) => one.id !== id))

export const updateWindow = (id: string, patch: Partial<ComposeWindow>): void =>
  set(windows.map((one) => (one.id === id ? { ...one, ...patch } : one)))

/** Only one window has the whole screen, and one that is shown again makes room for itself. */
export const showWindow = (id: string, view: ComposeWindow['view']): void => {
  set(
    windows.map((one) =>
      one.id === id ? { ...one, view, inlineAt: null } : one.view === 'full' ? { ...one, view: 'docked' } : one,
    ),
  )
  if (view === 'docked') dockFew(id)
}

/** Changes what is written: it will be saved. */
export const editLetter = (id: string, change: (letter: Letter) => Partial<Letter>): void => {
  const one = windowOf(id)
  if (!one) return
  const letter = { ...one.letter, ...change(one.letter) }
  updateWindow(id, { letter, draft: stepDraft(one.draft, { kind: 'edited' }) })
  for (const listener of editListeners) listener(id)
}

/** Changes what belongs to the message without being typed: progress of uploads, places in the draft. */
export const amendLetter = (id: string, change: (letter: Letter) => Partial<Letter>): void => {
  const one = windowOf(id)
  if (one) updateWindow(id, { letter: { ...one.letter, ...change(one.letter) } })
}

/** Puts another body into the editor. */
export const replaceBody = (id: string, body: Letter['body']): void => {
  const one = windowOf(id)
  if (!one) return
  updateWindow(id, { bodyRevision: one.bodyRevision + 1 })
  editLetter(id, () => ({ body }))
}
