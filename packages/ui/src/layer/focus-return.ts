import { useRef } from 'react'

// Which element opened a layer, by the layer's own element
const openers = new WeakMap<Element, HTMLElement>()

// With animations off, a menu is removed before the dialog that it opened takes the focus: no element has the focus then
let lastFocused: Element | null = null
if (typeof document !== 'undefined')
  document.addEventListener('focusin', ({ target }) => {
    lastFocused = target instanceof Element ? target : null
  })

type FocusReturn = {
  /** Called when the layer takes the focus. */
  remember: (layer: EventTarget | null) => void
  /** Called when the layer gives the focus back; Radix does so only for its own triggers. */
  giveBack: (event: Event) => void
}

/** Gives the focus back to what opened a layer. */
export const useFocusReturn = (): FocusReturn => {
  const opener = useRef<HTMLElement>(undefined)
  return {
    remember: (layer) => {
      opener.current = openerOf(document.activeElement === document.body ? lastFocused : document.activeElement)
      if (layer instanceof Element && opener.current) openers.set(layer, opener.current)
    },
    giveBack: (event) => {
      event.preventDefault()
      if (opener.current?.isConnected) opener.current.focus()
    },
  }
}

// A menu item, or an input of a layer that closes now, is gone later: then it is what opened that one
const openerOf = (focused: Element | null): HTMLElement | undefined => {
  const menu = focused?.closest('[role="menu"]')
  const trigger = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : null
  if (trigger) return trigger
  const layer = focused?.closest('[role="dialog"], [role="alertdialog"]')
  if (layer && (!layer.isConnected || layer.getAttribute('data-state') === 'closed')) return openers.get(layer)
  return focused instanceof HTMLElement ? focused : undefined
}
