import { useUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { useEffect } from 'react'
import { savesByItself } from './rights.ts'
import { isDirty, isFrozen, type State } from './session-state.ts'

/** Drafts are saved when leaving; closing the tab asks all the same, as it would interrupt the save. */
export const useLeaving = (state: State, kept: { isCarried: boolean; isKept: boolean }): void => {
  const dirty = isDirty(state)
  const isStuck = isFrozen(state) || state.isOffline || state.problems.length > 0 || state.refusal !== undefined
  useUnsavedChanges(dirty && (isStuck || !savesByItself(state.entry)), kept)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
}
