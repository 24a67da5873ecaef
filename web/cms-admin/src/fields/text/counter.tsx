import { cx } from '@stoa/ui/theme/cx.ts'
import { countNote } from './count-note.ts'

type CounterProps = { length: number; min: number | undefined; max: number | undefined }

/** How much room is left; says nothing while there is plenty. */
export const Counter = ({ length, min, max }: CounterProps) => {
  const note = countNote(length, min, max)
  if (!note) return null
  return (
    <p className={cx('text-right text-xs tabular-nums', note.isOver ? 'text-danger-ink' : 'text-faint')}>{note.text}</p>
  )
}
