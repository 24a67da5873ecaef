import { Badge } from '@stoa/ui/display/badge.tsx'
import { ChoiceGroup, RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { type ReactNode, useId } from 'react'
import { ContentDiff } from '../../diff/content-diff.tsx'
import { changeOf } from '../session/changes-between.ts'
import type { Difference, Side } from '../session/conflict.ts'
import { useEditor } from './editor-context.ts'

const words: Record<Difference['changedBy'], string> = {
  both: 'Changed by both',
  mine: 'Changed by you',
  theirs: 'Changed by them',
}

type DifferenceChoiceProps = {
  difference: Difference
  who: string
  chosen: Side | undefined
  onChoose: (side: Side) => void
}

/** One member that went apart: theirs and mine, each beside what it was before. */
export const DifferenceChoice = ({ difference, who, chosen, onChoose }: DifferenceChoiceProps) => {
  const { type } = useEditor()
  const name = useId()
  const { member, label, before, mine, theirs, changedBy } = difference
  const side = (value: unknown) => (
    <ContentDiff
      type={type}
      changes={[{ ...changeOf(type, member, before, value), label: 'Compared with the original' }]}
    />
  )
  return (
    <div className="rounded-lg border border-line p-4">
      <ChoiceGroup
        label={
          <span className="flex flex-wrap items-center gap-2">
            {label} <Badge tone={changedBy === 'both' ? 'failed' : 'neutral'}>{words[changedBy]}</Badge>
          </span>
        }
      >
        <div className="grid grid-cols-2 gap-4 phone:grid-cols-1">
          <Option name={name} value="theirs" chosen={chosen} onChoose={onChoose} label={`Theirs (${who})`}>
            {changedBy === 'mine' ? <Unchanged /> : side(theirs)}
          </Option>
          <Option name={name} value="mine" chosen={chosen} onChoose={onChoose} label="Mine">
            {changedBy === 'theirs' ? <Unchanged /> : side(mine)}
          </Option>
        </div>
      </ChoiceGroup>
    </div>
  )
}

const Unchanged = () => <p className="text-faint text-xs">Original</p>

type OptionProps = {
  name: string
  value: Side
  chosen: Side | undefined
  onChoose: (side: Side) => void
  label: string
  children: ReactNode
}

const Option = ({ name, value, chosen, onChoose, label, children }: OptionProps) => (
  <div className="flex min-w-0 flex-col gap-2">
    <RadioChoice<Side | ''>
      name={name}
      value={value}
      chosen={chosen ?? ''}
      onChoose={() => onChoose(value)}
      label={label}
    />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, and has to be reached with the keyboard */}
    <section aria-label={`${label}: what changed`} tabIndex={0} className="max-h-64 min-w-0 overflow-auto">
      {children}
    </section>
  </div>
)
