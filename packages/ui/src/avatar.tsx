import { useState } from 'react'
import { cx } from './cx.ts'
import { initialsOf } from './format.ts'

const sizes = { sm: 'size-5 text-2xs', md: 'size-7 text-xs', lg: 'size-10 text-base' }

type AvatarProps = { name: string; src?: string | undefined; size?: keyof typeof sizes }

/** A person's picture or initials; the name stands beside it, so readers skip this. */
export const Avatar = ({ name, src, size = 'md' }: AvatarProps) => {
  const [broken, setBroken] = useState<string>()
  const shown = src !== undefined && src !== broken
  // The initials are decoration beside the name: as content of the stylesheet they are no text of a button around them
  return (
    <span
      aria-hidden
      data-initials={shown ? '' : initialsOf(name).slice(0, size === 'sm' ? 1 : 2)}
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full bg-accent-soft font-medium text-accent-ink before:content-[attr(data-initials)]',
        sizes[size],
      )}
    >
      {shown ? <img src={src} alt="" className="size-full object-cover" onError={() => setBroken(src)} /> : null}
    </span>
  )
}
