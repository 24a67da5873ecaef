import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../theme/cx.ts'
import { useFieldWiring } from './field.tsx'

type InputProps = ComponentProps<'input'> & {
  /** An icon or unit inside the box, before or after the text. */
  leading?: ReactNode
  trailing?: ReactNode
}

const box = 'h-8 touch:h-11 w-full min-w-0'
const bare = 'h-full w-full min-w-0 bg-transparent outline-none placeholder:text-faint disabled:cursor-not-allowed'

/** A one-line text input. */
export const Input = ({ leading, trailing, className, ...rest }: InputProps) => {
  const wiring = useFieldWiring(rest)
  if (!leading && !trailing) {
    return <input {...rest} {...wiring} className={cx('control px-2.5', box, className)} />
  }
  return (
    <span className={cx('control flex items-center gap-1.5 px-2.5', box, className)}>
      {leading ? <span className="flex shrink-0 text-faint text-sm [&_svg]:size-4">{leading}</span> : null}
      <input {...rest} {...wiring} className={bare} />
      {trailing ? <span className="-mr-1.5 flex shrink-0 items-center text-faint text-sm">{trailing}</span> : null}
    </span>
  )
}
