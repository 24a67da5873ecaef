import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createKeeper } from '../../unsaved/keep.ts'
import { createKeptStore } from '../../unsaved/store.ts'
import { useEditWork } from '../edit-work.ts'
import { chooseSiteCopy, copyOfSite, isSiteCopy, restoredSite, SITE_PLACE, type SiteCopy } from './recovery.ts'
import type { DraftsHandle } from './use-drafts.ts'

const store = createKeptStore(isSiteCopy)

export type SiteRecovery = {
  /** Something of an earlier visit that was not saved. */
  copy: SiteCopy | undefined
  restore: (labelOf: (source: string) => string) => void
  discard: () => void
}

/** Keeps what is changed on the site in this browser until it is saved, and offers what an earlier visit left behind. */
export const useSiteRecovery = ({ drafts, now, apply }: DraftsHandle, account: string): SiteRecovery => {
  const id = useEditWork().site.key
  const [copy, setCopy] = useState<SiteCopy>()
  const found = useRef<readonly string[]>([])
  const current = useEffectEvent(now)
  const keeper = useRef<ReturnType<typeof createKeeper>>(null)

  useEffect(() => {
    let isLeft = false
    void store.list(account, SITE_PLACE).then(async (copies) => {
      const others = copies.filter((one) => one.id !== id)
      const { offered, useless } = chooseSiteCopy(others, current(), Date.now())
      await store.drop(useless.map((one) => one.id))
      if (isLeft || !offered) return
      found.current = others.map((one) => one.id)
      setCopy(offered)
    })
    return () => {
      isLeft = true
    }
  }, [account, id])

  useEffect(() => {
    keeper.current = createKeeper(() => {
      const kept = copyOfSite(current(), { id, account, at: Date.now() })
      void (kept ? store.put(kept) : store.drop([id]))
    })
    return () => keeper.current?.end()
  }, [account, id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change is kept
  useEffect(() => keeper.current?.changed(), [drafts.sources])

  const discard = () => {
    setCopy(undefined)
    void store.drop(found.current)
  }
  return {
    copy,
    restore: (labelOf) => {
      if (copy) apply((all) => restoredSite(all, copy, labelOf))
      discard()
    },
    discard,
  }
}
