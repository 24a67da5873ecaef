import type { ComponentProps } from 'react'
import { cx } from '../theme/cx.ts'
import { useFieldWiring } from './field.tsx'

type SliderProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange' | 'min' | 'max' | 'step'> & {
  value: number
  min: number
  max: number
  step?: number
  onValue: (value: number) => void
  /** What the value means, for screen readers. */
  valueText: string
}

const track =
  '[&::-webkit-slider-runnable-track]:h-1.5 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-control [&::-moz-range-track]:h-1.5 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-control'
const thumb =
  '[&::-webkit-slider-thumb]:-mt-1.25 [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent [&::-webkit-slider-thumb]:shadow-sm [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:rounded-full [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent'

/** A value on a scale that is felt rather than typed. */
export const Slider = ({ value, min, max, step = 1, onValue, valueText, className, ...rest }: SliderProps) => (
  <input
    {...rest}
    {...useFieldWiring(rest)}
    type="range"
    min={min}
    max={max}
    step={step}
    value={Math.min(max, Math.max(min, value))}
    aria-valuetext={valueText}
    onChange={(event) => onValue(Number(event.target.value))}
    className={cx(
      'h-6 w-full min-w-0 cursor-pointer appearance-none rounded-sm bg-transparent touch:h-10',
      track,
      thumb,
      className,
    )}
  />
)
