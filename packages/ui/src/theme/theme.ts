import { useSyncExternalStore } from 'react'
import { useMediaQuery } from '../browser/use-media-query.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

// theme-boot.js reads the same key before the first paint
const STORAGE_KEY = 'stoa-theme'

/** The person's choice: `light` and `dark` are written on the root element, `system` leaves it to the browser. */
const currentTheme = (): Theme => {
  const value = document.documentElement.dataset.theme
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Shows a theme at once and remembers it in this browser. */
export const setTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  remember(theme)
  for (const listener of listeners) listener()
}

/** The chosen theme and its setter; follows a change made in another tab. */
export const useTheme = (): [Theme, (theme: Theme) => void] => [useSyncExternalStore(subscribe, currentTheme), setTheme]

/** Whether the app is dark now, by choice or by the system. */
export const useIsDark = (): boolean => {
  const [theme] = useTheme()
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)')
  return theme === 'system' ? isSystemDark : theme === 'dark'
}

const listeners = new Set<() => void>()

const remember = (theme: Theme): void => {
  try {
    if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, theme)
  } catch (error) {
    // The browser blocks site data: the choice holds until the page is left
    console.warn("Couldn't save the theme setting", error)
  }
}

const followOtherTabs = (event: StorageEvent): void => {
  if (event.key !== STORAGE_KEY) return
  if (event.newValue === 'light' || event.newValue === 'dark') document.documentElement.dataset.theme = event.newValue
  else delete document.documentElement.dataset.theme
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) window.addEventListener('storage', followOtherTabs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTabs)
  }
}
