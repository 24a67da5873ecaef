import { useEffect } from 'react'

let unsaved = 0

/** Whether a form on this screen holds changes that are not saved. The app's router asks before it leaves. */
export const hasUnsavedChanges = (): boolean => unsaved > 0

/** Counts as unsaved work while `dirty`; closing or reloading the tab asks first. */
export const useUnsavedChanges = (dirty: boolean): void => {
  useEffect(() => {
    if (!dirty) return
    unsaved += 1
    window.addEventListener('beforeunload', askBeforeUnload)
    return () => {
      unsaved -= 1
      window.removeEventListener('beforeunload', askBeforeUnload)
    }
  }, [dirty])
}

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
