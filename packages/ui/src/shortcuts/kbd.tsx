import { cx } from '../theme/cx.ts'
import { keyLabels } from './shortcut-keys.ts'

/** The keys of a shortcut such as `mod+k` or `g d`, in the platform's signs. */
export const Kbd = ({ keys, className }: { keys: string; className?: string }) => (
  <span className={cx('inline-flex items-center gap-0.5 touch:hidden', className)}>
    {keyLabels(keys).map((label) => (
      <kbd
        key={label}
        className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-xs border border-line bg-sunken px-1 font-sans text-2xs text-muted"
      >
        {label}
      </kbd>
    ))}
  </span>
)
