import { newKey } from '@stoa/ui/browser/new-key.ts'
import { readStored, writeStored } from '@stoa/ui/browser/stored.ts'
import { z } from 'zod'
import type { Letter } from '../letter.ts'
import { addWindow, allWindows, type ComposeWindow, windowOf } from '../windows.ts'
import { freshDraft, isUnsaved } from './draft-state.ts'

const PREFIX = 'compose:'
const TAB_KEY = 'stoa:compose-tab'
/** A page that is reloaded gives its locks back a moment after the next one began. */
const LOCK_WAIT_MS = 1500

const recipients = z.array(z.object({ name: z.string().nullable(), email: z.string() }))
const docNode = z.looseObject({ type: z.string() })
const file = z.object({
  key: z.string(),
  filename: z.string(),
  size: z.number(),
  contentType: z.string(),
  contentId: z.string().nullable(),
  blobId: z.string().nullable(),
  part: z.object({ draftId: z.string(), section: z.string() }).nullable(),
  state: z.enum(['waiting', 'sending', 'ready', 'failed']),
  share: z.number(),
  problem: z.string().nullable(),
  canRetry: z.boolean(),
})
const letter = z.object({
  identityId: z.string().nullable(),
  to: recipients,
  cc: recipients,
  bcc: recipients,
  subject: z.string(),
  body: z.union([
    z.object({ format: z.literal('html'), doc: docNode }),
    z.object({ format: z.literal('text'), text: z.string() }),
  ]),
  inReplyTo: z.string().nullable(),
  references: z.array(z.string()),
  files: z.array(file),
  original: z.object({ id: z.string(), mark: z.enum(['answered', 'forwarded']), wasMarked: z.boolean() }).nullable(),
})
const carried = z.object({ subject: z.string(), text: z.string() }).nullable()
const kept = z.object({
  tab: z.string(),
  isUnsaved: z.boolean(),
  draftId: z.string().nullable(),
  letter,
  lostSave: carried,
  lostSend: carried,
})

/**
 * Writes down in this browser what is written in a window: a crash or a broken line loses nothing. False: the browser
 * could not, and only the open page has it.
 */
export const keepWindow = (one: ComposeWindow): boolean => {
  if (one.phase === 'loading' || one.phase === 'sent' || (one.draft.version === 0 && one.draftId === null)) return true
  keepAlive(one.id)
  const isKept = writeStored(keyOf(one), {
    tab: tabId(),
    isUnsaved: isUnsaved(one.draft) || one.lostSend !== null,
    draftId: one.draftId,
    letter: one.letter,
    lostSave: one.lostSave,
    lostSend: one.lostSend,
  })
  if (isKept) unkept.delete(one.id)
  else unkept.add(one.id)
  return isKept
}

const unkept = new Set<string>()

/** Whether what is written there is nowhere but in this page. */
export const isOnlyHere = ({ id, draft }: Pick<ComposeWindow, 'id' | 'draft'>): boolean =>
  unkept.has(id) && isUnsaved(draft)

export const forgetWindow = (one: Pick<ComposeWindow, 'id' | 'mailboxId'>): void => {
  writeStored(keyOf(one), undefined)
  unkept.delete(one.id)
  release(one.id)
}

/** Opens again what was being written when a page was left, in this tab or in one that is gone. */
export const recoverWindows = async (mailboxId: string): Promise<readonly ComposeWindow[]> => {
  const found = await Promise.all(
    keptIds(mailboxId)
      .filter((id) => !windowOf(id))
      .map((id) => recoverOne(mailboxId, id)),
  )
  return found.flatMap((one) => one ?? [])
}

const recoverOne = async (mailboxId: string, id: string): Promise<ComposeWindow | null> => {
  // Another tab that still writes it has the lock
  if (!(await take(id)) || windowOf(id)) return null
  const key = keyOf({ id, mailboxId })
  const read = kept.safeParse(readStored(key))
  // A draft that was saved and left on another day is in the drafts folder
  if (!read.success || (!read.data.isUnsaved && read.data.tab !== tabId())) {
    forgetWindow({ id, mailboxId })
    return null
  }
  const { draftId, lostSave, lostSend, isUnsaved: hasChanges } = read.data
  const stored: Letter = { ...read.data.letter, files: read.data.letter.files.map(settled) }
  if (allWindows().some((other) => draftId !== null && other.draftId === draftId)) return null
  return addWindow({
    id,
    mailboxId,
    letter: stored,
    draftId,
    lostSave,
    lostSend,
    focus: 'body',
    draft: { ...freshDraft(), version: hasChanges ? 1 : 0 },
  })
}

/** A file that was on its way when the page was left is only on the person's disk. */
const settled = (one: Letter['files'][number]): Letter['files'][number] =>
  one.state === 'ready'
    ? one
    : {
        ...one,
        state: 'failed',
        problem: 'The upload was interrupted. Attach the file again.',
        canRetry: false,
      }

const keyOf = ({ id, mailboxId }: Pick<ComposeWindow, 'id' | 'mailboxId'>): string => `${PREFIX}${mailboxId}:${id}`

const keptIds = (mailboxId: string): string[] => {
  const prefix = `stoa:${PREFIX}${mailboxId}:`
  try {
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
  } catch {
    // The browser blocks site data: nothing was kept
    return []
  }
}

let knownTab: string | undefined

/** The tab's id, which stays the same after a reload. */
const tabId = (): string => {
  if (knownTab !== undefined) return knownTab
  try {
    knownTab = sessionStorage.getItem(TAB_KEY) ?? newKey()
    sessionStorage.setItem(TAB_KEY, knownTab)
  } catch {
    knownTab = newKey()
  }
  return knownTab
}

const held = new Map<string, () => void>()
const asking = new Map<string, Promise<boolean>>()

const keepAlive = (id: string): void => void take(id)

/**
 * Says to other tabs that this one writes a message. Where browsers have no locks (a page without TLS) a message may be
 * opened twice; saving it from both makes two drafts and destroys neither.
 */
const take = (id: string): Promise<boolean> => {
  if (held.has(id) || !('locks' in navigator)) return Promise.resolve(true)
  const known = asking.get(id)
  if (known) return known
  const asked = new Promise<boolean>((resolve) => {
    const wait = new AbortController()
    const timer = setTimeout(() => wait.abort(), LOCK_WAIT_MS)
    navigator.locks
      .request(`stoa-compose-${id}`, { signal: wait.signal }, () => {
        clearTimeout(timer)
        resolve(true)
        return new Promise<void>((end) => void held.set(id, end))
      })
      .catch(() => resolve(false))
      .finally(() => asking.delete(id))
  })
  asking.set(id, asked)
  return asked
}

const release = (id: string): void => {
  held.get(id)?.()
  held.delete(id)
}
