import { CheckboxField } from '@stoa/ui/form/checkbox.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { ListChecks } from 'lucide-react'
import { ChoicesChange } from '../../diff/diff-items.tsx'
import { idsIn } from '../../entries/list/values.ts'
import { Choices } from '../cell-parts.tsx'
import { type CountDraft, countDraft, countWords } from '../counts.tsx'
import { DEFAULT_HELP, DEFAULT_LABEL } from '../default-input.tsx'
import type { DefaultProps, FieldView } from '../field-view.ts'
import { countHint } from '../hints.ts'
import { choiceWord } from '../select/choice-word.ts'
import { type ChoicesDraft, choicesDraft, choicesIn, choicesWords } from '../select/choices-draft.ts'
import { MultiselectEditor } from './multiselect-editor.tsx'

const DefaultChoices = ({ options, value, onValue, error }: DefaultProps<ChoicesDraft>) => {
  const chosen: unknown[] = Array.isArray(value) ? value : []
  const toggle = (choice: string, on: boolean) => {
    const next = on ? [...chosen, choice] : chosen.filter((other) => other !== choice)
    onValue(next.length === 0 ? null : next)
  }
  const choices = choicesIn(options)
  if (choices.length === 0) return null
  return (
    <ChoiceGroup label={DEFAULT_LABEL} help={DEFAULT_HELP} error={error}>
      {choices.map((choice) => (
        <CheckboxField
          key={choice.id}
          label={choice.label}
          checked={chosen.includes(choice.value)}
          onChecked={(on) => toggle(choice.value, on)}
        />
      ))}
    </ChoiceGroup>
  )
}

export const multiselect: FieldView<'multiselect', ChoicesDraft & CountDraft> = {
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
  draft: { ...choicesDraft, ...countDraft },
  stricter: { ...choicesWords, ...countWords },
  Options: lazyPart(() => import('./multiselect-options.tsx'), 'MultiselectOptions'),
  Default: DefaultChoices,
}
