import { cx } from '@stoa/ui/theme/cx.ts'
import { useLabelLook } from '../actions/known-labels.ts'
import { isOwnColor, lookOf } from './label-look.ts'

/** A label as a small colored word. */
export const LabelChip = ({ label }: { label: string }) => {
  const { display_name: name, color } = useLabelLook(label)
  const { chip, mark, style } = lookOf(color, label)
  return (
    <span style={style} className={cx('inline-flex min-w-0 items-center gap-1 rounded-sm px-1 text-2xs', chip)}>
      {isOwnColor(color) ? <span aria-hidden className={cx('size-2 shrink-0 rounded-full', mark)} /> : null}
      <span dir="auto" className="truncate">
        {name}
      </span>
    </span>
  )
}

/** The color of a label alone. */
export const LabelDot = ({ label }: { label: string }) => {
  const { color } = useLabelLook(label)
  const { mark, style } = lookOf(color, label)
  return (
    <span aria-hidden className="flex size-4 shrink-0 items-center justify-center">
      <span style={style} className={cx('size-2.5 rounded-full', mark)} />
    </span>
  )
}
