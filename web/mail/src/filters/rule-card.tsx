import { IconButton } from '@stoa/ui/button/button.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { Menu, MenuItem, MenuSeparator } from '@stoa/ui/layer/menu.tsx'
import { ArrowDown, ArrowUp, Copy, Ellipsis, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ActionRow } from './action-row.tsx'
import { ConditionRow } from './condition-row.tsx'
import { type EditedRule, keyed, newAction, newCondition, replaced } from './edited-rules.ts'
import { RuleParts } from './rule-parts.tsx'
import { actionKey, conditionKey, type RuleProblems } from './rule-problems.ts'
import { describeRule } from './rule-words.ts'

export type RuleCardProps = {
  rule: EditedRule
  index: number
  count: number
  problems: RuleProblems
  folders: readonly string[]
  handle: ReactNode
  onChange: (rule: EditedRule) => void
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One rule: which messages, what is done with them, and the same as a sentence. */
export const RuleCard = (props: RuleCardProps) => {
  const { rule, index, problems, handle, onChange } = props
  const id = useId()
  const problem = problems[String(index)]
  return (
    <section aria-label={nameOfRule(rule, index)} className="rounded-lg border border-line-strong bg-surface shadow-sm">
      <header className="flex items-center gap-1.5 border-line border-b px-3 py-2">
        {handle}
        <Input
          aria-label={`Name of rule ${index + 1}`}
          placeholder={`Rule ${index + 1}`}
          maxLength={200}
          className="border-transparent! bg-transparent! font-medium shadow-none! hover:border-line-strong! focus-visible:border-transparent!"
          value={rule.name}
          onChange={(event) => onChange({ ...rule, name: event.target.value })}
        />
        <RuleMenu {...props} />
      </header>
      <div className="flex flex-col gap-4 p-3">
        <Conditions {...props} />
        <Actions {...props} />
        {problem ? <FieldError id={`${id}-problem`}>{problem}</FieldError> : null}
      </div>
      <p className="break-words rounded-b-lg border-line border-t bg-sunken px-3 py-2 text-muted text-xs">
        {describeRule(rule)}
      </p>
    </section>
  )
}

export const nameOfRule = ({ name }: { name: string }, index: number): string => name.trim() || `Rule ${index + 1}`

const RuleMenu = ({ rule, index, count, onMove, onDuplicate, onRemove }: RuleCardProps) => (
  <Menu trigger={<IconButton size="sm" label={`Actions for ${nameOfRule(rule, index)}`} icon={<Ellipsis />} />}>
    <MenuItem icon={<ArrowUp />} disabled={index === 0} onSelect={() => onMove(index - 1)}>
      Move up
    </MenuItem>
    <MenuItem icon={<ArrowDown />} disabled={index === count - 1} onSelect={() => onMove(index + 1)}>
      Move down
    </MenuItem>
    <MenuItem icon={<Copy />} onSelect={onDuplicate}>
      Duplicate
    </MenuItem>
    <MenuSeparator />
    <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
      Remove rule
    </MenuItem>
  </Menu>
)

const Conditions = ({ rule, index, problems, onChange }: RuleCardProps) => {
  const { conditions } = rule
  const set = (next: EditedRule['conditions']) => onChange({ ...rule, conditions: next })
  return (
    <RuleParts
      noun="condition"
      intro={<Matching rule={rule} onChange={onChange} />}
      parts={conditions}
      onParts={set}
      make={() => keyed(newCondition())}
      row={(condition, at, frame) => (
        <ConditionRow
          {...frame}
          condition={condition}
          error={problems[conditionKey(index, at)]}
          onChange={(next) => set(replaced(conditions, at, { ...next, id: condition.id }))}
        />
      )}
    />
  )
}

const Matching = ({ rule, onChange }: Pick<RuleCardProps, 'rule' | 'onChange'>) => {
  if (rule.conditions.length === 0) return <p className="text-muted text-sm">For all messages</p>
  if (rule.conditions.length === 1) return <p className="text-muted text-sm">When this matches</p>
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-muted text-sm">
      When
      <Select
        aria-label="Match all or any conditions"
        className="w-24!"
        value={rule.match}
        options={[
          { value: 'all', label: 'all' },
          { value: 'any', label: 'any' },
        ]}
        onValue={(value) => onChange({ ...rule, match: value === 'any' ? 'any' : 'all' })}
      />
      of these match
    </div>
  )
}

const Actions = ({ rule, index, problems, folders, onChange }: RuleCardProps) => {
  const { actions } = rule
  const set = (next: EditedRule['actions']) => onChange({ ...rule, actions: next })
  return (
    <RuleParts
      noun="action"
      intro={<p className="text-muted text-sm">Do this</p>}
      parts={actions}
      onParts={set}
      make={() => keyed(newAction())}
      row={(action, at, frame) => (
        <ActionRow
          {...frame}
          action={action}
          folders={folders}
          error={problems[actionKey(index, at)]}
          onChange={(next) => set(replaced(actions, at, { ...next, id: action.id }))}
        />
      )}
    />
  )
}
