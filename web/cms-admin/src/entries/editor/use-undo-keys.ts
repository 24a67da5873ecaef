import { topLayer } from '@stoa/ui/layer/layers.ts'
import { isMac, pressMatches } from '@stoa/ui/shortcuts/shortcut-keys.ts'
import { useEffect } from 'react'
import type { UndoStack } from '../../undo-stack.ts'

const UNDO = { mod: true, shift: false, alt: false, key: 'z' }
const REDO = { mod: true, shift: true, alt: false, key: 'z' }

type UndoKeys = {
  enabled: boolean
  /** Inside the inputs of fields, too: every letter there is a step of the window's history. */
  inFields: boolean
}

/** Undo and redo over everything. Inside a text the keys are the text's own; the buttons always mean all. */
export const useUndoKeys = (stack: UndoStack, { enabled, inFields }: UndoKeys): void => {
  useEffect(() => {
    if (!enabled) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || topLayer() !== 0 || isText(event.target, inFields)) return
      const action = pressMatches(UNDO, event, isMac())
        ? stack.undo
        : pressMatches(REDO, event, isMac())
          ? stack.redo
          : undefined
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [stack, enabled, inFields])
}

const isText = (target: EventTarget | null, inFields: boolean): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  const input = target.closest('textarea, input:not([type=checkbox]):not([type=radio]):not([type=range])')
  if (input === null) return false
  // Typing in a search box is not an undo step
  return !inFields || !input.closest('[data-path]') || input.matches('[role=combobox], [type=search]')
}
