import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { ListChecks } from 'lucide-react'
import { ChoicesChange } from '../../diff/diff-items.tsx'
import { idsIn } from '../../entries/list/values.ts'
import { Choices } from '../cell-parts.tsx'
import { DEFAULT_HELP, DEFAULT_LABEL } from '../default-input.tsx'
import type { DefaultProps, FieldView } from '../field-view.ts'
import { countHint } from '../hints.ts'
import { choiceWord } from '../select/choice-word.ts'
import { choicesIn } from '../select/choices-in.ts'
import { MultiselectEditor } from './multiselect-editor.tsx'

const DefaultChoices = ({ field, onValue, error }: DefaultProps) => {
  const chosen: unknown[] = Array.isArray(field.default) ? field.default : []
  const toggle = (value: string, on: boolean) => {
    const next = on ? [...chosen, value] : chosen.filter((other) => other !== value)
    onValue(next.length === 0 ? null : next)
  }
  const choices = choicesIn(field)
  if (choices.length === 0) return null
  return (
    <ChoiceGroup label={DEFAULT_LABEL} help={DEFAULT_HELP} error={error}>
      {choices.map(({ id, value, label }) => (
        <CheckboxField key={id} label={label} checked={chosen.includes(value)} onChecked={(on) => toggle(value, on)} />
      ))}
    </ChoiceGroup>
  )
}

export const multiselect: FieldView<'multiselect'> = {
  label: 'Multiple choice',
  line: 'Any number of the options you list',
  group: 'Values and choices',
  icon: ListChecks,
  Editor: MultiselectEditor,
  frame: () => 'group',
  hint: countHint,
  Cell: ({ field, value }) => <Choices values={idsIn(value)} options={field.options} />,
  Change: ({ change: { before, after }, field }) => (
    <ChoicesChange before={before} after={after} wordOf={choiceWord(field)} />
  ),
  Options: lazyPart(() => import('./multiselect-options.tsx'), 'MultiselectOptions'),
  Default: DefaultChoices,
}
