import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { useIsPhone } from '@stoa/ui/browser/use-media-query.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import '@stoa/ui/text/written-text.css'
import './compose.css'
import { type RouterHistory, useRouter, useRouterState } from '@tanstack/react-router'
import { ComposeWindowView } from './compose-window.tsx'
import { followSlots, reportTaken, type SlotWindows, useSlots } from './inline-slots.ts'
import { isUnsaved } from './saving/draft-state.ts'
import { forgetWindow, recoverWindows } from './saving/kept-windows.ts'
import { popOut, saveDraft, startSaving } from './saving/saving.ts'
import { setSession } from './saving/session.ts'
import { settleRecovered } from './sending.ts'
import { allWindows, type ComposeWindow, isShown, showWindow, subscribeWindows } from './windows.ts'

/** The row of windows at the bottom. */
export const ComposeDock = ({ mailbox }: { mailbox: Mailbox }) => {
  const windows = useSyncExternalStore(subscribeWindows, allWindows)
  const phone = useIsPhone()
  useDesk(mailbox)
  const shown = windows.filter((one) => one.mailboxId === mailbox.id && isShown(one))
  const inline = useInline(phone ? [] : shown)
  // A phone has room for one
  const top = shown.findLast(({ view }) => view !== 'minimised')
  const topId = phone ? top?.id : undefined
  const minimise = useCallback(() => {
    if (topId !== undefined) showWindow(topId, 'minimised')
  }, [topId])
  useBack(topId !== undefined, minimise)
  if (shown.length === 0) return null
  const full = phone ? undefined : shown.find(({ view }) => view === 'full')
  return (
    <div
      data-compose-dock
      className="layer-bar pointer-events-none fixed right-0 bottom-0 left-0 flex flex-row-reverse items-end gap-3 px-4 phone:flex-row phone:gap-1 phone:px-2"
    >
      {full ? <div aria-hidden className="layer-overlay pointer-events-auto fixed inset-0 bg-overlay" /> : null}
      {shown.map((one) => {
        const slot = inline.get(one.id)
        if (slot) return createPortal(<ComposeWindowView one={one} view="inline" isPhone={false} />, slot, one.id)
        const view = phone ? (one === top ? 'full' : 'minimised') : one.view
        return <ComposeWindowView key={one.id} one={one} view={view} isPhone={phone} />
      })}
    </div>
  )
}

/** The places of the windows that stand below their messages: one each. */
const useInline = (windows: readonly ComposeWindow[]): ReadonlyMap<string, HTMLElement> => {
  const slots = useSlots()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const placed = new Map<string, ComposeWindow>()
  for (const one of windows) if (one.inlineAt !== null && slots.has(one.inlineAt)) placed.set(one.inlineAt, one)
  const taken = [...placed.keys()].join(' ')
  const followed = useRef<SlotWindows>(new Map())
  useEffect(() => {
    const now = { path, placed: new Map([...placed].map(([at, { id }]) => [at, id])), shown: slots }
    const { next, left } = followSlots(followed.current, now)
    followed.current = next
    for (const id of left) popOut(id)
  })
  useEffect(() => {
    reportTaken(taken === '' ? [] : taken.split(' '))
    return () => reportTaken([])
  }, [taken])
  return new Map(
    [...placed].flatMap(([at, { id }]) => {
      const slot = slots.get(at)
      return slot ? [[id, slot] as const] : []
    }),
  )
}

/** Saves while somebody is signed in, and opens what was left open. */
const useDesk = (mailbox: Mailbox): void => {
  const client = useQueryClient()
  const { id: mailboxId } = mailbox
  useEffect(() => setSession({ client, mailbox }), [client, mailbox])
  useEffect(() => {
    const stop = startSaving()
    void recover(mailboxId)
    // Save drafts that could not be saved when the session ended
    for (const one of allWindows()) if (one.mailboxId === mailboxId) void saveDraft(one.id)
    return () => {
      stop()
      setSession(null)
      // Signing out leaves nothing in the browser that is saved elsewhere
      for (const one of allWindows()) if (!isUnsaved(one.draft)) forgetWindow(one)
    }
  }, [mailboxId])
}

const recover = async (mailboxId: string): Promise<void> => {
  const found = await recoverWindows(mailboxId)
  if (found.length === 0) return
  toast({
    title:
      found.length === 1 ? 'Unsaved draft recovered' : `${formatCount(found.length, 'message', 'messages')} recovered`,
  })
  for (const { id } of found) void settleRecovered(id).then(() => saveDraft(id))
}

const MARK = 'isWriting'

const isMarked = (state: unknown): boolean => typeof state === 'object' && state !== null && Reflect.has(state, MARK)

/**
 * While a window covers the screen, Back is about the window: it has an entry of its own in the history, with the address
 * of the screen below. A window that goes by itself takes its entry along.
 */
const useBack = (isOpen: boolean, onBack: () => void): void => {
  const history: RouterHistory = useRouter().history
  useEffect(() => {
    const isHere = isMarked(history.location.state)
    if (isOpen && !isHere) history.push(history.location.href, { [MARK]: true }, { ignoreBlocker: true })
    if (!isOpen && isHere) history.back({ ignoreBlocker: true })
  }, [history, isOpen])
  useEffect(() => {
    if (!isOpen) return
    return history.subscribe(({ location, action }) => {
      if (action.type === 'BACK' && !isMarked(location.state)) onBack()
    })
  }, [history, isOpen, onBack])
}
