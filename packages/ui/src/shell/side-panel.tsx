import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { IconButton } from '../button/button.tsx'
import { Drawer } from '../layer/drawer.tsx'
import { firstInput } from '../layer/first-input.ts'
import { SIDE_PANEL } from './side-panel-mark.ts'
import { SplitHandle } from './split-handle.tsx'

type SidePanelProps = {
  label: string
  /** Lies above the screen instead of beside it, where the window is narrow. */
  isSheet: boolean
  /** Whether it takes the focus when it appears; a sheet always does. */
  takesFocus: boolean
  /** How much of the window it takes, in percent. */
  share: number
  minShare: number
  maxShare: number
  onShare: (share: number) => void
  onClose: () => void
  children: ReactNode
}

/**
 * Something to work with beside every screen, for the `side` of an `AppShell`. The screen stays usable; Esc inside it closes
 * it, and the focus goes back to where it came from.
 */
export const SidePanel = (props: SidePanelProps) =>
  props.isSheet ? (
    <Drawer label={props.label} mark={SIDE_PANEL} onClose={props.onClose}>
      {props.children}
    </Drawer>
  ) : (
    <Beside {...props} />
  )

const Beside = ({ label, takesFocus, share, minShare, maxShare, onShare, onClose, children }: SidePanelProps) => {
  const panel = useRef<HTMLElement>(null)
  useFocusInside(panel, takesFocus)
  const press = (event: KeyboardEvent) => {
    // A layer above has taken it for itself
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return (
    <>
      <SplitHandle
        label={`Width of ${label}`}
        orientation="vertical"
        value={100 - share}
        min={100 - maxShare}
        max={100 - minShare}
        onValue={(value) => onShare(100 - value)}
      />
      <aside
        {...{ [SIDE_PANEL]: '' }}
        ref={panel}
        aria-label={label}
        tabIndex={-1}
        onKeyDown={press}
        style={{ width: `${share}vw` }}
        className="sticky top-0 flex h-dvh min-w-0 flex-col bg-surface outline-none"
      >
        <header className="flex items-center gap-2 border-line border-b py-2 pr-2 pl-4">
          <h2 className="min-w-0 flex-1 truncate font-semibold text-sm">{label}</h2>
          <IconButton label={`Close ${label}`} icon={<X />} onClick={onClose} />
        </header>
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto p-4">{children}</div>
      </aside>
    </>
  )
}

/** Takes the focus when it appears, and gives it back when it goes and still has it. */
const useFocusInside = (panel: { current: HTMLElement | null }, takesFocus: boolean): void => {
  const enter = useEffectEvent((element: HTMLElement): Element | null => {
    if (!takesFocus) return null
    const opener = document.activeElement
    const target = firstInput(element) ?? element
    target.focus({ preventScroll: true })
    return opener
  })
  useEffect(() => {
    const element = panel.current
    if (!element) return
    const opener = enter(element)
    return () => {
      // The element has left the page by now, and the focus with it
      if (document.activeElement !== document.body && !element.contains(document.activeElement)) return
      const back = opener?.isConnected ? opener : document.getElementById('content')
      if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    }
  }, [panel])
}
