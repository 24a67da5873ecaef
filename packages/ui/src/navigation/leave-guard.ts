import { useEffect } from 'react'

let unsaved = 0
let carried = 0

/** Whether there is anything that is not saved: in a form on this screen, or carried by the window. */
export const hasUnsavedChanges = (): boolean => unsaved + carried > 0

/** Whether a form on this screen holds changes that leaving the screen loses. The app's router asks before it leaves. */
export const losesChangesByLeaving = (): boolean => unsaved > 0

/**
 * Counts as unsaved work while `dirty`; closing or reloading the tab asks first. Work that is carried is taken along to
 * other screens of the window.
 */
export const useUnsavedChanges = (dirty: boolean, { isCarried = false }: { isCarried?: boolean } = {}): void => {
  useEffect(() => {
    if (!dirty) return
    count(1, isCarried)
    return () => count(-1, isCarried)
  }, [dirty, isCarried])
}

const count = (by: 1 | -1, isCarried: boolean): void => {
  if (isCarried) carried += by
  else unsaved += by
  // One listener for all of them: the browser adds the same one only once, and removes it for all
  if (hasUnsavedChanges()) window.addEventListener('beforeunload', askBeforeUnload)
  else window.removeEventListener('beforeunload', askBeforeUnload)
}

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()
