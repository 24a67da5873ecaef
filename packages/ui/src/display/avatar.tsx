import { type CSSProperties, useState } from 'react'
import { initialsOf } from '../text/format.ts'
import { cx } from '../theme/cx.ts'
import { personHue } from './person-hue.ts'

const sizes = { sm: 'size-5 text-2xs', md: 'size-7 text-xs', lg: 'size-10 text-base' }

type AvatarProps = {
  name: string
  /** The id or address of the person, which decides the color; null when it is nobody. */
  person: string | null
  src?: string | undefined
  size?: keyof typeof sizes
}

/** A person's picture or initials; the name stands beside it, so readers skip this. */
export const Avatar = ({ name, person, src, size = 'md' }: AvatarProps) => {
  const [broken, setBroken] = useState<string>()
  const shown = src !== undefined && src !== broken
  // The initials are decoration beside the name: as content of the stylesheet they are no text of a button around them
  return (
    <span
      aria-hidden
      data-initials={shown ? '' : initialsOf(name).slice(0, size === 'sm' ? 1 : 2)}
      {...(person === null ? {} : { style: { '--person-hue': personHue(person) } as CSSProperties })}
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full font-medium before:content-[attr(data-initials)]',
        person === null ? 'bg-neutral-soft text-neutral-ink' : 'person-hue',
        sizes[size],
      )}
    >
      {shown ? <img src={src} alt="" className="size-full object-cover" onError={() => setBroken(src)} /> : null}
    </span>
  )
}
