import { Button } from '@stoa/ui/button/button.tsx'
import { EmptyState } from '@stoa/ui/feedback/empty-state.tsx'
import { SortableRows } from '@stoa/ui/sortable/sortable-rows.tsx'
import { ListFilter, Plus } from 'lucide-react'
import { type EditedRule, editedRule, moved, newRule, replaced } from './edited-rules.ts'
import { nameOfRule, RuleCard } from './rule-card.tsx'
import type { RuleProblems } from './rule-problems.ts'
import { useRowFocus } from './use-row-focus.ts'

type RuleBuilderProps = {
  rules: readonly EditedRule[]
  problems: RuleProblems
  folders: readonly string[]
  onRules: (rules: EditedRule[]) => void
}

/** Rules in the order in which they look at a message. */
export const RuleBuilder = ({ rules, problems, folders, onRules }: RuleBuilderProps) => {
  const focus = useRowFocus()
  const add = (
    <Button
      icon={<Plus />}
      className="self-start"
      onClick={() => {
        focus.added()
        onRules([...rules, editedRule(newRule())])
      }}
    >
      Add rule
    </Button>
  )
  if (rules.length === 0)
    return (
      <EmptyState
        icon={<ListFilter />}
        title="No rules yet"
        action={add}
        className="rounded-lg border border-line border-dashed"
      >
        A rule has conditions to match messages, and actions to apply.
      </EmptyState>
    )
  return (
    <fieldset ref={focus.box} aria-label="Rules" className="flex min-w-0 flex-col gap-3">
      <SortableRows
        label="Rules"
        className="flex flex-col gap-3"
        items={rules}
        nameOf={(rule) => nameOfRule(rule, rules.indexOf(rule))}
        onMove={(from, to) => onRules(moved(rules, from, to))}
        row={(rule, index, handle) => (
          <RuleCard
            rule={rule}
            index={index}
            count={rules.length}
            problems={problems}
            folders={folders}
            handle={handle}
            onChange={(next) => onRules(replaced(rules, index, next))}
            onMove={(to) => onRules(moved(rules, index, to))}
            onDuplicate={() => onRules(rules.toSpliced(index + 1, 0, editedRule(rule)))}
            onRemove={() => {
              focus.removed()
              onRules(rules.toSpliced(index, 1))
            }}
          />
        )}
      />
      {add}
    </fieldset>
  )
}
