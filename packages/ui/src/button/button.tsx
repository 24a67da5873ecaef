import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Spinner } from '../feedback/spinner.tsx'
import { Tooltip } from '../layer/tooltip.tsx'
import { type ButtonSize, type ButtonVariant, buttonClass, iconButtonClass } from './button-class.ts'

type CommonProps = Omit<ComponentProps<'button'>, 'disabled'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Work is under way: a spinner stands in for the icon and presses do nothing. */
  loading?: boolean | undefined
  /** Stays focusable, so that a screen reader finds it and a tooltip can say why. */
  disabled?: boolean | undefined
}

type ButtonProps = CommonProps & { icon?: ReactNode }

/** The one button. Its label says the action: "Publish", not "OK". */
export const Button = ({ variant, size, loading, icon, className, children, ...rest }: ButtonProps) => (
  <button {...pressProps(rest, loading)} className={buttonClass(variant, size, className)}>
    {loading ? <Spinner /> : icon}
    {children}
  </button>
)

type IconButtonProps = CommonProps & {
  label: string
  icon: ReactNode
  shortcut?: string
  side?: 'top' | 'right' | 'bottom'
}

/** A button that shows only an icon; `label` is its name and its tooltip. */
export const IconButton = ({
  variant,
  size,
  loading,
  label,
  icon,
  shortcut,
  side,
  className,
  ...rest
}: IconButtonProps) => (
  <Tooltip label={label} shortcut={shortcut} side={side}>
    <button {...pressProps(rest, loading)} aria-label={label} className={iconButtonClass(variant, size, className)}>
      {loading ? <Spinner /> : icon}
    </button>
  </Tooltip>
)

// aria-disabled instead of disabled: the focus stays where it was when saving starts
const pressProps = (
  { disabled, onClick, type = 'button', ...rest }: Omit<CommonProps, 'variant' | 'size' | 'loading'>,
  loading: boolean | undefined,
): ComponentProps<'button'> => {
  const blocked = Boolean(disabled || loading)
  return {
    ...rest,
    type,
    'aria-disabled': blocked || undefined,
    'aria-busy': loading || undefined,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      if (blocked) event.preventDefault()
      else onClick?.(event)
    },
  }
}
