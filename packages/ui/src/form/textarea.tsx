import type { ComponentProps } from 'react'
import { cx } from '../theme/cx.ts'
import { useFieldWiring } from './field.tsx'

/** Text over several lines; grows with its content where the browser can. */
export const Textarea = ({ className, rows = 3, ...rest }: ComponentProps<'textarea'>) => (
  <textarea
    {...rest}
    {...useFieldWiring(rest)}
    rows={rows}
    className={cx(
      'control field-sizing-content block max-h-96 min-h-20 w-full min-w-0 resize-y px-2.5 py-1.5',
      className,
    )}
  />
)
