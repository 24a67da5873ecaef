import { topLayer } from '@stoa/ui/layers.ts'
import { isMac, pressMatches } from '@stoa/ui/shortcut-keys.ts'
import { useEffect } from 'react'
import type { Session } from './session.ts'

const UNDO = { mod: true, shift: false, alt: false, key: 'z' }
const REDO = { mod: true, shift: true, alt: false, key: 'z' }

/** Undo and redo over the whole form. Inside a text the keys are the text's own; the buttons always mean the form. */
export const useUndoKeys = (session: Session, enabled: boolean): void => {
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || topLayer() !== 0 || isText(event.target)) return
      const act = pressMatches(UNDO, event, isMac())
        ? session.undo
        : pressMatches(REDO, event, isMac())
          ? session.redo
          : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [session, enabled])
}

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('textarea, input:not([type=checkbox]):not([type=radio]):not([type=range])') !== null)
