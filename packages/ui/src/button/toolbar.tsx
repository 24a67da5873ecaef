import { Toolbar as Radix } from 'radix-ui'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import { Button, IconButton } from './button.tsx'

type ToolbarProps = {
  /** Names the row for screen readers. */
  label: string
  /** Called on Esc: moves the focus back to the element that the toolbar works on. */
  onLeave?: () => void
  className?: string
  children: ReactNode
}

/** A row of actions with one Tab stop; the arrow keys go from one to the next. */
export const Toolbar = ({ label, onLeave, className, children }: ToolbarProps) => (
  <Radix.Root
    aria-label={label}
    loop
    onKeyDown={(event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || !onLeave) return
      event.preventDefault()
      event.stopPropagation()
      onLeave()
    }}
    className={cx('flex min-w-0 items-center gap-0.5', className)}
  >
    {children}
  </Radix.Root>
)

type ToolbarButtonProps = Omit<ComponentProps<typeof IconButton>, 'variant' | 'size'> & {
  /** For an action that is on or off where the caret is. */
  pressed?: boolean | undefined
}

/** One action of a toolbar. Pressing it with the mouse leaves the focus, and with it the selection, where it is. */
export const ToolbarButton = ({ pressed, className, ...rest }: ToolbarButtonProps) => (
  <Radix.Button asChild>
    <IconButton
      {...rest}
      size="sm"
      aria-pressed={pressed}
      onMouseDown={keepFocus}
      className={cx(pressed && 'bg-accent-soft text-accent-ink!', className)}
    />
  </Radix.Button>
)

/** A button of a toolbar that shows words, such as the name of the paragraph's style. */
export const ToolbarTextButton = ({ className, ...rest }: ComponentProps<typeof Button>) => (
  <Radix.Button asChild>
    <Button {...rest} variant="ghost" size="sm" className={cx('px-2', className)} />
  </Radix.Button>
)

export const ToolbarSeparator = () => <Radix.Separator className="mx-1 h-4 w-px shrink-0 bg-line" />

const keepFocus = (event: MouseEvent<HTMLButtonElement>): void => event.preventDefault()
