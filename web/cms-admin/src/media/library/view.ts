import { useState } from 'react'

export type View = 'grid' | 'list'

const KEY = 'stoa-media-view'

/** How this browser shows the library; kept. */
export const useView = (): [View, (view: View) => void] => {
  const [view, setView] = useState<View>(read)
  const choose = (next: View) => {
    setView(next)
    try {
      localStorage.setItem(KEY, next)
    } catch (error) {
      // The choice holds until the page is left
      console.warn("Couldn't save the library view", error)
    }
  }
  return [view, choose]
}

const read = (): View => {
  try {
    return localStorage.getItem(KEY) === 'list' ? 'list' : 'grid'
  } catch {
    // The browser blocks site data: the default holds
    return 'grid'
  }
}
