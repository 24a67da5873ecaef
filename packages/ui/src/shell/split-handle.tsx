import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { cx } from '../theme/cx.ts'

type SplitHandleProps = {
  /** The name of the part that it resizes. */
  label: string
  /** Which way the line runs: a vertical one is pulled to the left and right. */
  orientation: 'vertical' | 'horizontal'
  /** The share of the first part, in percent. */
  value: number
  min: number
  max: number
  onValue: (value: number) => void
}

const STEP = 2

/** The divider between two parts of a screen, dragged or moved with the arrow keys. The parts are its neighbors in one box. */
export const SplitHandle = ({ label, orientation, value, min, max, onValue }: SplitHandleProps) => {
  const isPulled = useRef(false)
  const isVertical = orientation === 'vertical'
  const set = (next: number) => onValue(Math.round(Math.min(max, Math.max(min, next)) * 10) / 10)
  const pull = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (!isPulled.current || !box) return
    set(isVertical ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100)
  }
  const press = (event: KeyboardEvent) => {
    const [less, more] = isVertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
    if (event.key !== less && event.key !== more) return
    event.preventDefault()
    set(value + (event.key === more ? STEP : -STEP))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule of the text cannot be moved
    <div
      role="separator"
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        isPulled.current = true
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={pull}
      onPointerUp={() => {
        isPulled.current = false
      }}
      className={cx(
        'layer-sticky relative shrink-0 touch-none bg-line transition-colors hover:bg-accent-line focus-visible:bg-accent',
        'after:absolute',
        isVertical
          ? 'w-px cursor-col-resize after:-inset-x-1 after:inset-y-0'
          : 'h-px cursor-row-resize after:-inset-y-1 after:inset-x-0',
      )}
    />
  )
}
