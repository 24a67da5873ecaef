import type { Action, Condition, Rule } from './rules.ts'

/** Unfinished parts by rule, condition and action: `0`, `0.c.1`, `0.a.2`. */
export type RuleProblems = Readonly<Record<string, string>>

export const conditionKey = (rule: number, condition: number): string => `${rule}.c.${condition}`
export const actionKey = (rule: number, action: number): string => `${rule}.a.${action}`

/** Everything that the service would refuse, or that nobody can have meant. */
export const findProblems = (rules: readonly Rule[]): RuleProblems => {
  const found: Record<string, string> = {}
  const note = (key: string, problem: string | null) => {
    if (problem !== null) found[key] = problem
  }
  for (const [index, { conditions, actions }] of rules.entries()) {
    note(String(index), actions.length === 0 ? 'Add an action.' : null)
    for (const [at, condition] of conditions.entries()) note(conditionKey(index, at), conditionProblem(condition))
    for (const [at, action] of actions.entries()) note(actionKey(index, at), actionProblem(action))
  }
  return found
}

/** RFC 5322 §2.2. */
const FIELD_NAME = /^[!-9;-~]{1,998}$/

const conditionProblem = (condition: Condition): string | null => {
  if ('header' in condition && !FIELD_NAME.test(condition.header.trim())) return 'Enter a header name like X-Priority.'
  if ('values' in condition && condition.values.some((value) => value.trim() === '')) return 'Enter some text.'
  if (condition.on === 'size' && condition.bytes <= 0) return 'Enter a size greater than 0.'
  return null
}

/** The same syntax as for labels in the webmail. */
const LABEL = /^[a-z0-9_$-]{1,64}$/i

/** Near enough while it is typed; the service looks closer. */
const ADDRESS = /^[^\s@]+@[^\s@]+$/

const actionProblem = (action: Action): string | null => {
  switch (action.do) {
    case 'file':
      return action.folder.trim() === '' ? 'Enter a folder name.' : null
    case 'label':
      return LABEL.test(action.label) ? null : 'Use only letters, digits, - and _.'
    case 'redirect':
      return ADDRESS.test(action.to.trim()) ? null : 'Enter an email address.'
    case 'reply':
      return action.text.trim() === '' ? 'Enter a reply.' : null
    case 'reject':
      return action.reason.trim() === '' ? "Enter a reason. It's sent to the sender." : null
    default:
      return null
  }
}
