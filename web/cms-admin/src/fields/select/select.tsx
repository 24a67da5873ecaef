import { Select } from '@stoa/ui/form/select.tsx'
import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { CircleDot } from 'lucide-react'
import { PlainChange } from '../../diff/diff-plain.tsx'
import { Choices } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView } from '../field-view.ts'
import { choiceWord } from './choice-word.ts'
import { isFewChoices } from './choices.ts'
import { type ChoicesDraft, choicesDraft, choicesIn, choicesWords } from './choices-draft.ts'
import { SelectEditor } from './select-editor.tsx'

export const select: FieldView<'select', ChoicesDraft> = {
  label: 'Choice',
  line: 'One of the options you list',
  group: 'Values and choices',
  icon: CircleDot,
  Editor: SelectEditor,
  frame: ({ options }) => (isFewChoices(options) ? 'group' : 'input'),
  Cell: ({ field, value }) => <Choices values={typeof value === 'string' ? [value] : []} options={field.options} />,
  Change: ({ change, field }) => <PlainChange change={change} shown={choiceWord(field)} />,
  draft: choicesDraft,
  stricter: choicesWords,
  Options: lazyPart(() => import('./choice-options.tsx'), 'ChoiceOptions'),
  Default: defaultInput((value, onText, options: ChoicesDraft) => (
    <Select value={value} onValue={onText} options={[{ value: '', label: 'Nothing' }, ...choicesIn(options)]} />
  )),
}
