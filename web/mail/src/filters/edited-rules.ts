import type { Action, Condition, Rule } from './rules.ts'

/** Rows keep their inputs while they move: each has a name that its content does not change. */
export type Keyed<T> = T & { readonly id: string }
export type EditedRule = Keyed<Omit<Rule, 'conditions' | 'actions'>> & {
  conditions: readonly Keyed<Condition>[]
  actions: readonly Keyed<Action>[]
}

let last = 0
const nextId = (): string => {
  last += 1
  return `r${last}`
}

export const keyed = <T extends object>(value: T): Keyed<T> => ({ ...value, id: nextId() })

export const editedRule = ({ conditions, actions, ...rule }: Rule): EditedRule =>
  keyed({ ...rule, conditions: conditions.map(keyed), actions: actions.map(keyed) })

export const newCondition = (): Condition => ({ on: 'from', test: 'contains', values: [''], not: false })
export const newAction = (): Action => ({ do: 'file', folder: '', create: true, copy: false })
export const newRule = (): Rule => ({ name: '', match: 'all', conditions: [newCondition()], actions: [newAction()] })

/** The list with one member at another place. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] => {
  const [member] = list.slice(from, from + 1)
  return member === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, member)
}

/** The list with another member at this place. */
export const replaced = <T>(list: readonly T[], at: number, member: T): T[] =>
  list.map((each, index) => (index === at ? member : each))

const DEFAULT_BYTES = 5 * 1024 ** 2
const DEFAULT_PERCENT = 80
const DEFAULT_DAYS = 7

/** A condition on another place; what was typed goes along where it can. */
export const conditionOn = (on: Condition['on'], before: Condition): Condition => {
  const not = 'not' in before ? before.not : false
  const header = 'header' in before ? before.header : ''
  const comparison = {
    test: 'test' in before ? before.test : ('contains' as const),
    values: 'values' in before ? before.values : [''],
    not,
  }
  switch (on) {
    case 'size':
      return { on, over: true, bytes: DEFAULT_BYTES }
    case 'spam':
      return { on, over: true, percent: DEFAULT_PERCENT }
    case 'attachment':
      return { on, not: false }
    case 'exists':
      return { on, header, not }
    case 'header':
      return { on, header, ...comparison }
    default:
      return { on, ...comparison }
  }
}

export type ActionKind = Action['do'] | 'copy'

export const kindOf = (action: Action): ActionKind => (action.do === 'file' && action.copy ? 'copy' : action.do)

/** Another thing to do; what was typed goes along where it can. */
export const actionOf = (kind: ActionKind, before: Action): Action => {
  const filed = before.do === 'file' ? before : { folder: '', create: true }
  const words = before.do === 'reply' ? before.text : before.do === 'reject' ? before.reason : ''
  switch (kind) {
    case 'file':
    case 'copy':
      return { do: 'file', folder: filed.folder, create: filed.create, copy: kind === 'copy' }
    case 'label':
      return { do: kind, label: '' }
    case 'redirect':
      return { do: kind, to: '', copy: true }
    case 'reply':
      return { do: kind, subject: '', text: words, days: DEFAULT_DAYS }
    case 'reject':
      return { do: kind, reason: words }
    default:
      return { do: kind }
  }
}
