import { cx } from '../theme/cx.ts'

/** The mark: a roof on columns, the stoa. */
const BrandMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className={cx('size-6 shrink-0', className)}>
    <rect width="24" height="24" rx="6" className="fill-accent" />
    <path
      d="M5.5 8.2 12 4.9l6.5 3.3v1.3h-13zM7 11h1.9v5.6H7zm4.05 0h1.9v5.6h-1.9zm4.05 0H17v5.6h-1.9zM5.5 17.7h13v1.5h-13z"
      className="fill-on-accent"
    />
  </svg>
)

/** The mark with the product's name. */
export const Brand = ({ product, className }: { product: string; className?: string }) => (
  <span className={cx('inline-flex min-w-0 items-center gap-2', className)}>
    <BrandMark />
    <span className="truncate font-semibold text-base text-ink tracking-tight">
      Stoa <span className="font-normal text-muted">{product}</span>
    </span>
  </span>
)
