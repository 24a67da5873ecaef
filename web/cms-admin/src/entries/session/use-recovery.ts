import { useEffect, useRef, useState } from 'react'
import { createKeeper } from '../../unsaved/keep.ts'
import { createKeptStore } from '../../unsaved/store.ts'
import { type Copy, chooseCopy, copyOf, isCopy, recoveryKey } from './recovery.ts'
import type { EditorSession } from './session.ts'
import { type Values, withChanges } from './values.ts'

const store = createKeptStore(isCopy)

export type Recovery = {
  /** Something of an earlier visit that was not saved. */
  copy: Copy | undefined
  /** The form with it. */
  restored: Values | undefined
  restore: () => void
  discard: () => void
  /** False once this browser refused to store what is typed. */
  isKept: boolean
}

type EntryOfAccount = { account: string; type: string; translationOf: string | null }

/** Keeps what is typed in this browser until it is saved, and offers what an earlier visit left behind. */
export const useRecovery = (session: EditorSession, { account, type, translationOf }: EntryOfAccount): Recovery => {
  const id = session.key
  const [copy, setCopy] = useState<Copy>()
  const [isKept, setIsKept] = useState(true)
  const found = useRef<readonly string[]>([])

  useEffect(() => {
    const { entry, base } = session.state()
    let isLeft = false
    void store.list(account, recoveryKey(entry?.id ?? null, type, translationOf)).then(async (copies) => {
      // This session's own copy is on the screen already
      const others = copies.filter((one) => one.id !== id)
      const { offered, useless } = chooseCopy(others, base, Date.now())
      await store.drop(useless.map((one) => one.id))
      if (isLeft || !offered) return
      found.current = others.map((one) => one.id)
      setCopy(offered)
    })
    return () => {
      isLeft = true
    }
  }, [session, account, type, translationOf, id])

  useEffect(() => {
    const keep = () => {
      const state = session.state()
      const place = recoveryKey(state.entry?.id ?? null, type, translationOf)
      const kept = copyOf(state, { id, account, place, at: Date.now() })
      if (kept) void store.put(kept).then(setIsKept)
      else void store.drop([id])
    }
    return keepCopies(session, keep)
  }, [session, account, type, translationOf, id])

  const forget = () => {
    setCopy(undefined)
    void store.drop(found.current)
  }
  const restored = copy && withChanges(session.state().values, copy.changes)
  return {
    copy,
    restored,
    restore: () => {
      if (restored) session.replace(restored)
      forget()
    },
    discard: forget,
    isKept,
  }
}

const keepCopies = (session: EditorSession, keep: () => void): (() => void) => {
  const keeper = createKeeper(keep)
  let { values, base } = session.state()
  const unsubscribe = session.subscribe(() => {
    const now = session.state()
    if (now.values === values && now.base === base) return
    values = now.values
    base = now.base
    keeper.changed()
  })
  return () => {
    keeper.end()
    // A save that is under way when the screen is left still drops or keeps its copy
    setTimeout(unsubscribe, LINGER_MS)
  }
}

/** Longer than a save takes to be answered or given up. */
const LINGER_MS = 60_000
