import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { IconButton } from '../button/button.tsx'
import { cx } from '../theme/cx.ts'
import { firstInput } from './first-input.ts'
import { useFocusReturn } from './focus-return.ts'
import { Layer, useLayer } from './layers.ts'

export type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  /** An alert dialog interrupts to ask; a click outside does not close it. */
  role?: 'dialog' | 'alertdialog'
  /** The buttons, the main action last. */
  footer?: ReactNode
  /** Where the focus starts; without it the first input or button. */
  initialFocus?: RefObject<HTMLElement | null>
  /** While false, neither Esc nor a click outside closes it. */
  dismissible?: boolean
  children?: ReactNode
}

const widths = { sm: 'max-w-dialog-sm', md: 'max-w-dialog-md', lg: 'max-w-dialog-lg' }

/** A modal window: the page behind is inert, Esc closes it, the focus goes back to where it came from. */
export const Dialog = ({ open, onOpenChange, ...content }: DialogProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Portal>
      <Radix.Overlay className="layer-overlay fixed inset-0 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
      <DialogContent {...content} />
    </Radix.Portal>
  </Radix.Root>
)

type DialogContentProps = Omit<DialogProps, 'open' | 'onOpenChange'>

const DialogContent = ({
  title,
  description,
  size = 'md',
  role = 'dialog',
  footer,
  children,
  ...rest
}: DialogContentProps) => {
  const { initialFocus, dismissible = true } = rest
  const layer = useLayer()
  const focus = useFocusReturn()
  const closeHidden = role === 'alertdialog' || !dismissible
  return (
    <Radix.Content
      role={role}
      {...(description === undefined ? { 'aria-describedby': undefined } : {})}
      onEscapeKeyDown={(event) => {
        if (!dismissible) event.preventDefault()
      }}
      onInteractOutside={(event) => {
        if (closeHidden || isToast(event.target)) event.preventDefault()
      }}
      onCloseAutoFocus={focus.giveBack}
      onOpenAutoFocus={(event) => {
        focus.remember(event.currentTarget)
        const target = initialFocus?.current ?? firstInput(event.currentTarget)
        if (!target) return
        event.preventDefault()
        target.focus()
      }}
      className={cx(
        'layer-dialog fixed top-1/2 left-1/2 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-line bg-raised shadow-lg outline-none data-[state=closed]:animate-pop-out data-[state=open]:animate-pop-in',
        widths[size],
      )}
    >
      <Layer value={layer}>
        <header className="flex items-start gap-3 px-5 pt-4.5 pb-1">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <Radix.Title className="font-semibold text-ink text-md">{title}</Radix.Title>
            {description === undefined ? null : (
              <Radix.Description asChild>
                <div className="text-muted text-sm">{description}</div>
              </Radix.Description>
            )}
          </div>
          {closeHidden ? null : (
            <Radix.Close asChild>
              <IconButton size="sm" label="Close" icon={<X />} className="-mt-0.5 -mr-2" />
            </Radix.Close>
          )}
        </header>
        {children === undefined ? null : (
          <div className="scroll-edges min-h-0 overflow-y-auto px-5 py-3 text-sm">{children}</div>
        )}
        {footer === undefined ? (
          <div className="pb-2" />
        ) : (
          <footer className="flex flex-wrap items-center justify-end gap-2 px-5 pt-2 pb-4.5">{footer}</footer>
        )}
      </Layer>
    </Radix.Content>
  )
}

const isToast = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[data-toaster]') !== null
