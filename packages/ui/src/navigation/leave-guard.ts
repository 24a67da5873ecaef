import { useEffect } from 'react'

let unsaved = 0
let carried = 0
let kept = 0

/** Whether there is anything that is not saved: in a form on this screen, or carried by the window. */
export const hasUnsavedChanges = (): boolean => unsaved + carried > 0

/** Whether a form on this screen holds changes that leaving the screen loses. The app's router asks before it leaves. */
export const losesChangesByLeaving = (): boolean => unsaved > 0

/** Whether everything that is not saved is stored in this browser, to be restored later. */
export const keepsChanges = (): boolean => hasUnsavedChanges() && kept === unsaved + carried

type UnsavedOptions = {
  isCarried?: boolean
  /** The changes are stored in this browser as well. */
  isKept?: boolean
}

/**
 * Counts as unsaved work while `dirty`; closing or reloading the tab asks first. Work that is carried is taken along to
 * other screens of the window.
 */
export const useUnsavedChanges = (dirty: boolean, { isCarried = false, isKept = false }: UnsavedOptions = {}): void => {
  useEffect(() => {
    if (!dirty) return
    count(1, isCarried, isKept)
    return () => count(-1, isCarried, isKept)
  }, [dirty, isCarried, isKept])
}

const count = (by: 1 | -1, isCarried: boolean, isKept: boolean): void => {
  if (isCarried) carried += by
  else unsaved += by
  if (isKept) kept += by
  // One listener for all of them: the browser adds the same one only once, and removes it for all
  if (hasUnsavedChanges()) window.addEventListener('beforeunload', askBeforeUnload)
  else window.removeEventListener('beforeunload', askBeforeUnload)
}

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
