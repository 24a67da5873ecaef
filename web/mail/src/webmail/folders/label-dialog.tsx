import { type Label, type LabelColor, labelColors } from '@stoa/mail-model/labels.ts'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { FormDialog } from '@stoa/ui/layer/form-dialog.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { saveLabel, useLabels } from '../actions/known-labels.ts'
import { findLabel, newLabelName } from '../actions/labels.ts'
import { colorOf, lookOf } from './label-look.ts'

type LabelDialogProps = {
  /** Null: a new one. */
  label: Pick<Label, 'name' | 'display_name' | 'color'> | null
  onClose: () => void
}

/** Edits the name and color of a label. */
export const LabelDialog = ({ label, onClose }: LabelDialogProps) => {
  const queryClient = useQueryClient()
  const others = useLabels().filter(({ name }) => name !== label?.name)
  const form = useForm<{ display_name: string; color: string | null }>({
    initial: { display_name: label?.display_name ?? '', color: label?.color ?? null },
    validate: ({ display_name: name }) => {
      if (name.trim() === '') return { display_name: 'Enter a name.' }
      return findLabel(name, others) ? { display_name: 'Another label has this name.' } : {}
    },
    onSubmit: async (look) => {
      await saveLabel(queryClient, label?.name ?? newLabelName(look.display_name, others), look)
      onClose()
      return undefined
    },
  })
  const { display_name: name, color } = form.values
  const shown = color ?? colorOf(label?.name ?? newLabelName(name, others))
  return (
    <FormDialog
      title={label ? `Edit “${label.display_name}”` : 'New label'}
      size="sm"
      form={form}
      submitLabel={label ? 'Save changes' : 'Create label'}
      onClose={onClose}
    >
      <Field
        label="Name"
        help={label ? `Other mail apps and filters know it as “${label.name}”.` : undefined}
        error={form.errors.display_name}
      >
        <Input {...form.text('display_name')} autoFocus autoComplete="off" maxLength={100} />
      </Field>
      <ChoiceGroup label="Color" error={form.errors.color} className="flex-row! flex-wrap">
        {labelColors.map((each) => (
          <Swatch key={each} color={each} isChosen={shown === each} onChoose={() => form.set({ color: each })} />
        ))}
      </ChoiceGroup>
    </FormDialog>
  )
}

type SwatchProps = { color: LabelColor; isChosen: boolean; onChoose: () => void }

const Swatch = ({ color, isChosen, onChoose }: SwatchProps) => {
  const { mark, style } = lookOf(color, '')
  return (
    <label
      title={color}
      style={style}
      className={cx(
        'relative flex size-7 cursor-pointer items-center justify-center rounded-full text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 touch:size-11 [&>svg]:size-4',
        mark,
      )}
    >
      <input
        type="radio"
        name="label-color"
        aria-label={color}
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
      />
      {isChosen ? <Check aria-hidden /> : null}
    </label>
  )
}
