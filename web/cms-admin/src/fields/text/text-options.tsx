import { Field } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import type { OptionsProps } from '../field-view.ts'
import { messageAt, NumberInput, Pair } from '../option-inputs.tsx'
import { typedNumber, typedText } from '../typed-options.ts'

export type TextDraft = { minLength: string; maxLength: string; pattern: string }

const TextOptions = (props: OptionsProps<TextDraft>) => (
  <>
    <Pair>
      <NumberInput {...props} name="minLength" label="Minimum characters" />
      <NumberInput {...props} name="maxLength" label="Maximum characters" />
    </Pair>
    <Field
      label="Pattern"
      optional
      help="A regular expression the whole text must match, such as [A-Z]{2}-[0-9]+"
      error={messageAt(props, 'pattern')}
    >
      <Input
        value={props.options.pattern}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono text-xs"
        onChange={({ target }) => props.onChange({ pattern: target.value })}
      />
    </Field>
  </>
)

/** The options of every text that people write. */
export const textOptions = {
  Options: TextOptions,
  draft: { minLength: typedNumber, maxLength: typedNumber, pattern: typedText },
  stricter: { minLength: 'more characters', maxLength: 'fewer characters', pattern: 'a different pattern' },
}
