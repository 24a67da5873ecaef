import { useId } from 'react'
import { CopyButton } from '../button/copy-button.tsx'
import { cx } from '../theme/cx.ts'

type CodeBlockProps = {
  code: string
  /** What it is: "curl", "DNS record", "Response". */
  label: string
  /** Long lines break instead of scrolling. */
  wrap?: boolean
  className?: string
}

/** Text to copy as it is: a command, a record, an answer. */
export const CodeBlock = ({ code, label, wrap = false, className }: CodeBlockProps) => {
  const id = useId()
  return (
    <figure className={cx('min-w-0 overflow-hidden rounded-lg border border-line bg-sunken', className)}>
      <figcaption className="flex items-center justify-between gap-2 border-line border-b py-1 pr-1 pl-3">
        <span id={id} className="min-w-0 truncate text-muted text-xs">
          {label}
        </span>
        <CopyButton text={code} label={`Copy ${label}`} iconOnly />
      </figcaption>
      {/* A scrolling region must be reachable by keyboard */}
      <section
        aria-labelledby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-96 overflow-auto px-3 py-2.5 outline-offset-[-2px]"
      >
        <pre className={cx('font-mono text-ink text-xs leading-text', wrap && 'wrap-anywhere whitespace-pre-wrap')}>
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  )
}
