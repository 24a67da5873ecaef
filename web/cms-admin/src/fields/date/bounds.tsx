import { Field } from '@stoa/ui/form/field.tsx'
import type { ReactNode } from 'react'
import type { OptionsProps } from '../field-view.ts'
import { messageAt, Pair } from '../option-inputs.tsx'

type DrawBound = (value: string, onValue: (value: string) => void) => ReactNode

/** The earliest and the latest value, in inputs of the type's own. */
export const boundOptions = (draw: DrawBound) => (props: OptionsProps) => (
  <Pair>
    <Bound {...props} name="min" label="Earliest" draw={draw} />
    <Bound {...props} name="max" label="Latest" draw={draw} />
  </Pair>
)

type BoundProps = OptionsProps & { name: 'min' | 'max'; label: string; draw: DrawBound }

const Bound = ({ name, label, draw, ...props }: BoundProps) => (
  <Field label={label} optional error={messageAt(props, name)} className="flex-1">
    {draw(props.field[name], (value) => props.onChange({ [name]: value }))}
  </Field>
)
