import { Field } from '@stoa/ui/form/field.tsx'
import type { ReactNode } from 'react'
import type { OptionsProps } from '../field-view.ts'
import { messageAt, Pair } from '../option-inputs.tsx'
import { typedText } from '../typed-options.ts'

type DrawBound = (value: string, onValue: (value: string) => void) => ReactNode

export type BoundDraft = { min: string; max: string }

const bound = { ...typedText, startsAnew: true } as const

/** The earliest and the latest value, in inputs of the type's own. */
export const boundOptions = (draw: DrawBound) => ({
  Options: (props: OptionsProps<BoundDraft>) => (
    <Pair>
      <Bound {...props} name="min" label="Earliest" draw={draw} />
      <Bound {...props} name="max" label="Latest" draw={draw} />
    </Pair>
  ),
  draft: { min: bound, max: bound },
  stricter: { min: 'a higher minimum', max: 'a lower maximum' },
})

type BoundProps = OptionsProps<BoundDraft> & { name: 'min' | 'max'; label: string; draw: DrawBound }

const Bound = ({ name, label, draw, ...props }: BoundProps) => (
  <Field label={label} optional error={messageAt(props, name)} className="flex-1">
    {draw(props.options[name], (value) => props.onChange({ [name]: value }))}
  </Field>
)
