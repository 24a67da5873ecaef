import { Tooltip as Radix } from 'radix-ui'
import { type FocusEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { Kbd } from '../shortcuts/kbd.tsx'

type TooltipProps = {
  label: ReactNode
  shortcut?: string | undefined
  side?: 'top' | 'right' | 'bottom' | undefined
  /** One focusable element. */
  children: ReactNode
}

/** A short explanation on hover and keyboard focus. Never the only place of an information. */
export const Tooltip = ({ label, shortcut, side = 'top', children }: TooltipProps) => {
  const [isOpen, setIsOpen] = useState(false)
  useCloseOnEscape(isOpen, () => setIsOpen(false))
  return (
    <Radix.Root open={isOpen} onOpenChange={setIsOpen}>
      <Radix.Trigger asChild onFocus={keepClosedOnReturn}>
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="layer-tooltip flex max-w-72 items-center gap-2 rounded-md bg-inverse px-2 py-1 text-on-inverse text-xs shadow-md data-[state=delayed-open]:animate-fade-in"
        >
          {label}
          {shortcut ? (
            <Kbd
              keys={shortcut}
              className="[&>kbd]:border-transparent [&>kbd]:bg-transparent [&>kbd]:px-0 [&>kbd]:text-inherit"
            />
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Radix takes a tooltip for the top layer, and Esc would end with it: it is gone before Radix gets the key. */
const useCloseOnEscape = (isOpen: boolean, close: () => void): void => {
  const closeNow = useEffectEvent(() => flushSync(close))
  useEffect(() => {
    if (!isOpen) return
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') closeNow()
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [isOpen])
}

/** Wraps the app once: tooltips after the first one open without delay. */
export const TooltipProvider = ({ children }: { children: ReactNode }) => (
  <Radix.Provider delayDuration={400} skipDelayDuration={200}>
    {children}
  </Radix.Provider>
)

// When a menu or dialog gives the focus back, a tooltip would become a new top layer and eat the next Esc
const keepClosedOnReturn = (event: FocusEvent<HTMLElement>): void => {
  const from = event.relatedTarget
  const layer = from?.closest('[role="menu"], [role="dialog"], [role="alertdialog"]')
  const moved = from !== null && (!layer || layer.contains(event.currentTarget))
  if (!moved || !event.currentTarget.matches(':focus-visible')) event.preventDefault()
}
