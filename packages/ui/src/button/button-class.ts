import { cx } from '../theme/cx.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet'
export type ButtonSize = 'sm' | 'md' | 'lg'

const base =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors [&_svg]:size-4 [&_svg]:shrink-0 aria-disabled:cursor-not-allowed'

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent text-on-accent shadow-sm hover:not-aria-disabled:bg-accent-hover aria-disabled:opacity-55',
  secondary:
    'border-line-strong bg-surface text-ink shadow-sm hover:not-aria-disabled:bg-hover active:not-aria-disabled:bg-pressed data-[state=open]:bg-pressed aria-disabled:text-faint aria-disabled:shadow-none [&_svg]:text-muted',
  ghost:
    'border-transparent text-muted hover:not-aria-disabled:bg-hover hover:not-aria-disabled:text-ink active:not-aria-disabled:bg-pressed data-[state=open]:bg-pressed data-[state=open]:text-ink aria-disabled:text-faint',
  danger:
    'border-transparent bg-danger text-on-danger shadow-sm hover:not-aria-disabled:bg-danger-hover aria-disabled:opacity-55',
  'danger-quiet':
    'border-line-strong bg-surface text-danger-ink shadow-sm hover:not-aria-disabled:bg-failed-soft hover:not-aria-disabled:border-failed-line aria-disabled:text-faint aria-disabled:shadow-none',
}

const sizes: Record<ButtonSize, string> = {
  sm: 'h-7 px-2 text-xs touch:h-9 touch:px-3',
  md: 'h-8 px-3 text-sm touch:h-11',
  lg: 'h-9 px-4 text-base touch:h-11',
}

const squares: Record<ButtonSize, string> = {
  sm: 'size-7 touch:size-9',
  md: 'size-8 touch:size-11',
  lg: 'size-9 touch:size-11',
}

/** The classes of a button, also for a link that looks like one. */
export const buttonClass = (
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  className?: string,
): string => cx(base, variants[variant], sizes[size], className)

/** The classes of a square button that holds one icon. */
export const iconButtonClass = (
  variant: ButtonVariant = 'ghost',
  size: ButtonSize = 'md',
  className?: string,
): string => cx(base, variants[variant], squares[size], className)
