import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches now; renders again when that changes. */
export const useMediaQuery = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

// Keep in sync with the `phone` variant in tokens.css
const PHONE = '(width < 48rem)'

/** Below the width where tables become cards and the navigation collapses. */
export const useIsPhone = (): boolean => useMediaQuery(PHONE)
