/** How a text is compared. Letters of either case are the same. */
export const textTests = ['contains', 'is', 'begins', 'ends', 'matches', 'regex'] as const
export type TextTest = (typeof textTests)[number]

/** Places with a text that have a name of their own; any other header field has one that is typed. */
export const textFields = ['from', 'to', 'cc', 'recipients', 'subject', 'list', 'body'] as const
export type TextField = (typeof textFields)[number]

/** One of the values is enough. */
type Comparison = { test: TextTest; values: readonly string[]; not: boolean }

export type Condition =
  | ({ on: TextField } & Comparison)
  | ({ on: 'header'; header: string } & Comparison)
  | { on: 'exists'; header: string; not: boolean }
  | { on: 'attachment'; not: boolean }
  | { on: 'size'; over: boolean; bytes: number }
  /** At least, or below, so many percent on the scale of the spam filter. */
  | { on: 'spam'; over: boolean; percent: number }

export type Action =
  | { do: 'file'; folder: string; create: boolean; copy: boolean }
  | { do: 'seen' }
  | { do: 'flag' }
  | { do: 'label'; label: string }
  | { do: 'redirect'; to: string; copy: boolean }
  | { do: 'reply'; subject: string; text: string; days: number }
  | { do: 'reject'; reason: string }
  | { do: 'discard' }
  | { do: 'keep' }
  | { do: 'stop' }

/** The actions for messages that meet the conditions; without conditions, for all messages. */
export type Rule = {
  name: string
  match: 'all' | 'any'
  conditions: readonly Condition[]
  actions: readonly Action[]
}

/** RFC 5228 §8.1 asks for 31 bits, and the service takes no more. */
export const MAX_BYTES = 2_147_483_647
/** The bounds of the service for replies to the same person. */
export const MIN_DAYS = 1
export const MAX_DAYS = 90

/** The header fields of places whose values are addresses. */
export const addressFields = {
  from: ['from'],
  to: ['to'],
  cc: ['cc'],
  recipients: ['to', 'cc'],
} as const
export type AddressField = keyof typeof addressFields

export const isAddressField = (field: string): field is AddressField => Object.hasOwn(addressFields, field)

/** The one way to say each thing: what means the same becomes the same. */
export const tidyRules = (rules: readonly Rule[]): Rule[] => rules.map(tidyRule)

const tidyRule = ({ name, match, conditions, actions }: Rule): Rule => ({
  name: tidyLine(name),
  match: conditions.length > 1 ? match : 'all',
  conditions: conditions.map(tidyCondition),
  actions: inOrder(actions.map(tidyAction)),
})

/** Marks count for what is done after them, and nothing comes after the end. */
const inOrder = (actions: readonly Action[]): Action[] => {
  const rest = actions.filter((action) => !isMark(action) && action.do !== 'stop')
  const stop = actions.find((action) => action.do === 'stop')
  return [...actions.filter(isMark), ...rest, ...(stop ? [stop] : [])]
}

const isMark = (action: Action): boolean => ['seen', 'flag', 'label'].includes(action.do)

const tidyCondition = (condition: Condition): Condition => {
  switch (condition.on) {
    case 'size':
      return { on: 'size', over: condition.over, bytes: within(condition.bytes, 0, MAX_BYTES) }
    case 'spam':
      return { on: 'spam', over: condition.over, percent: within(condition.percent, 0, 100) }
    case 'attachment':
      return { on: 'attachment', not: condition.not }
    case 'exists':
      return { on: 'exists', header: tidyLine(condition.header), not: condition.not }
    case 'header':
      return ofOwnName({ on: 'header', header: tidyLine(condition.header), ...tidyComparison(condition) })
    default:
      return { on: condition.on, ...tidyComparison(condition) }
  }
}

/** A header field that has a place of its own; of addresses only where names are looked at as well. */
const ofOwnName = (condition: Extract<Condition, { on: 'header' }>): Condition => {
  const { header, test, values, not } = condition
  const name = header.toLowerCase()
  const place = name === 'list-id' ? 'list' : name
  const isOwn = place === 'subject' || place === 'list' || (test === 'contains' && isAddressField(place))
  return isOwn && isTextField(place) ? { on: place, test, values, not } : condition
}

const isTextField = (field: string): field is TextField => textFields.some((known) => known === field)

const tidyComparison = ({ test, values, not }: Comparison): Comparison => {
  const texts = values.length === 0 ? [''] : values.map(tidyText)
  if (test !== 'matches' && test !== 'begins' && test !== 'ends') return { test, values: texts, not }
  return { ...comparePatterns(texts.map((text) => patternOf(test, text))), not }
}

const tidyAction = (action: Action): Action => {
  switch (action.do) {
    case 'file':
      return { do: 'file', folder: tidyText(action.folder), create: action.create, copy: action.copy }
    case 'label':
      return { do: 'label', label: action.label.replace(NO_KEYWORD, '').slice(0, MAX_KEYWORD) }
    case 'redirect':
      return { do: 'redirect', to: tidyText(action.to), copy: action.copy }
    case 'reply': {
      const days = within(action.days, MIN_DAYS, MAX_DAYS)
      return { do: 'reply', subject: tidyLine(action.subject), text: tidyText(action.text), days }
    }
    case 'reject':
      return { do: 'reject', reason: tidyText(action.reason) }
    default:
      return { do: action.do }
  }
}

/** What no keyword of IMAP has (RFC 9051 §9). */
const NO_KEYWORD = /[^!#$&'+,\-./0-9:;<=>?@A-Z[\]^_`a-z|}~]/g
const MAX_KEYWORD = 64

/** Lines end in one way, and nothing is in it that a script cannot hold. */
const tidyText = (text: string): string => text.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')

/** On one line, without blanks around it. */
const tidyLine = (text: string): string => tidyText(text).replace(/\s+/g, ' ').trim()

const within = (value: number, min: number, max: number): number =>
  Number.isFinite(value) ? Math.min(Math.max(Math.round(value), min), max) : min

/** What `:matches` has to be given for a test (RFC 5228 §2.7.1). */
export const patternOf = (test: 'matches' | 'begins' | 'ends', text: string): string => {
  if (test === 'matches') return text
  const literal = text.replace(/[\\*?]/g, '\\$&')
  return test === 'begins' ? `${literal}*` : `*${literal}`
}

/** Patterns as the simplest test that means the same. */
export const comparePatterns = (patterns: readonly string[]): Pick<Comparison, 'test' | 'values'> => {
  for (const test of ['begins', 'ends'] as const) {
    const values = patterns.map((pattern) => literalOf(test, pattern))
    if (values.every((value) => value !== null)) return { test, values }
  }
  return { test: 'matches', values: patterns }
}

const literalOf = (test: 'begins' | 'ends', pattern: string): string | null => {
  const [, begin, ending] =
    /^((?:[^\\*?]|\\[\s\S])+)\*$/u.exec(pattern) ?? /^()\*((?:[^\\*?]|\\[\s\S])+)$/u.exec(pattern) ?? []
  const literal = test === 'begins' ? begin : ending
  return literal ? literal.replace(/\\([\s\S])/gu, '$1') : null
}
