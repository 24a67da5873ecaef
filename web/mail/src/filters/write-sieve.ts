import { type Action, addressFields, type Condition, isAddressField, patternOf, type Rule, tidyRules } from './rules.ts'

/** Rules as a script of the service. */
export const writeSieve = (rules: readonly Rule[]): string => {
  const needed = new Set<string>()
  const blocks = tidyRules(rules).map((rule) => writeRule(rule, needed))
  const extensions = EXTENSIONS.filter((name) => needed.has(name)).map(quoted)
  const opening = extensions.length === 0 ? [] : [`require ${listOf(extensions)};\n`]
  return [...opening, ...blocks].join('\n')
}

/** The rule that a line of its script belongs to, from 0; null for lines before the first. */
export const ruleAtLine = (rules: readonly Rule[], line: number): number | null => {
  const tidy = tidyRules(rules)
  const starts = tidy.map((_rule, index) => lineCount(writeSieve(rules), writeTail(tidy, index)))
  const found = starts.findLastIndex((start) => start <= line)
  return found === -1 ? null : found
}

/** Every extension that rules make use of, in the order in which a script asks for them. */
export const EXTENSIONS = [
  'fileinto',
  'mailbox',
  'copy',
  'imap4flags',
  'body',
  'regex',
  'mime',
  'spamtestplus',
  'relational',
  'comparator-i;ascii-numeric',
  'vacation',
  'reject',
] as const

/** RFC 5228 §2.4.2. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const listOf = (items: readonly string[]): string => (items.length === 1 ? `${items[0]}` : `[${items.join(', ')}]`)
const textsOf = (texts: readonly string[]): string => listOf(texts.map(quoted))

const writeTail = (rules: readonly Rule[], from: number): string =>
  rules
    .slice(from)
    .map((rule) => writeRule(rule, new Set()))
    .join('\n')

/** The number of the line on which the tail of a script starts. */
const lineCount = (script: string, tail: string): number =>
  script.slice(0, script.length - tail.length).split('\n').length

const writeRule = (rule: Rule, needed: Set<string>): string => {
  const lines = [
    ...(rule.name === '' ? [] : [`# ${rule.name}`]),
    `if ${writeConditions(rule, needed)} {`,
    ...writeActions(rule.actions, needed).map((line) => `  ${line}`),
    '}',
    '',
  ]
  return lines.join('\n')
}

const writeConditions = ({ match, conditions }: Rule, needed: Set<string>): string => {
  const tests = conditions.map((condition) => writeCondition(condition, needed))
  if (tests.length === 0) return 'true'
  if (tests.length === 1) return `${tests[0]}`
  return `${match === 'all' ? 'allof' : 'anyof'} (\n  ${tests.join(',\n  ')}\n)`
}

const writeCondition = (condition: Condition, needed: Set<string>): string => {
  switch (condition.on) {
    case 'size':
      return `size :${condition.over ? 'over' : 'under'} ${writeBytes(condition.bytes)}`
    case 'spam': {
      for (const name of ['spamtestplus', 'relational', 'comparator-i;ascii-numeric']) needed.add(name)
      const relation = condition.over ? 'ge' : 'lt'
      return `spamtest :percent :value "${relation}" :comparator "i;ascii-numeric" "${condition.percent}"`
    }
    case 'attachment':
      needed.add('mime')
      return `${negation(condition)}header :mime :anychild :type :is "content-disposition" "attachment"`
    case 'exists':
      return `${negation(condition)}exists ${quoted(condition.header)}`
    default:
      return `${negation(condition)}${writeComparison(condition, needed)}`
  }
}

const negation = ({ not }: { not: boolean }): string => (not ? 'not ' : '')

type Comparison = Extract<Condition, { test: string }>

const writeComparison = (condition: Comparison, needed: Set<string>): string => {
  const { test, values } = condition
  if (test === 'regex') needed.add('regex')
  const isPattern = test === 'matches' || test === 'begins' || test === 'ends'
  const keys = isPattern ? values.map((value) => patternOf(test, value)) : values
  return `${writePlace(condition, isPattern ? 'matches' : test, needed)} ${textsOf(keys)}`
}

const writePlace = (condition: Comparison, matchType: string, needed: Set<string>): string => {
  const { on } = condition
  if (on === 'body') {
    needed.add('body')
    return `body :text :${matchType}`
  }
  if (on === 'header') return `header :${matchType} ${quoted(condition.header)}`
  if (!isAddressField(on)) return `header :${matchType} "${on === 'list' ? 'list-id' : 'subject'}"`
  // A search for part of a text covers display names, too; other comparisons test the address alone
  return `${matchType === 'contains' ? 'header' : 'address'} :${matchType} ${textsOf(addressFields[on])}`
}

const writeBytes = (bytes: number): string => {
  for (const [unit, size] of [
    ['G', 1024 ** 3],
    ['M', 1024 ** 2],
    ['K', 1024],
  ] as const)
    if (bytes > 0 && bytes % size === 0) return `${bytes / size}${unit}`
  return String(bytes)
}

/** Marks that stand together are one command. */
const writeActions = (actions: readonly Action[], needed: Set<string>): string[] => {
  const flags = actions.flatMap(flagOf)
  if (flags.length > 0) needed.add('imap4flags')
  const marks = flags.length === 0 ? [] : [`addflag ${textsOf(flags)};`]
  return [...marks, ...actions.flatMap((action) => writeAction(action, needed))]
}

const flagOf = (action: Action): string[] => {
  if (action.do === 'seen') return ['\\Seen']
  if (action.do === 'flag') return ['\\Flagged']
  return action.do === 'label' ? [action.label] : []
}

const writeAction = (action: Action, needed: Set<string>): string[] => {
  switch (action.do) {
    case 'file':
      return [writeFiling(action, needed)]
    case 'redirect':
      if (action.copy) needed.add('copy')
      return [`redirect ${action.copy ? ':copy ' : ''}${quoted(action.to)};`]
    case 'reply': {
      needed.add('vacation')
      const subject = action.subject === '' ? '' : `:subject ${quoted(action.subject)} `
      return [`vacation :days ${action.days} ${subject}${quoted(action.text)};`]
    }
    case 'reject':
      needed.add('reject')
      return [`reject ${quoted(action.reason)};`]
    case 'discard':
    case 'keep':
    case 'stop':
      return [`${action.do};`]
    default:
      return []
  }
}

const writeFiling = ({ folder, create, copy }: Extract<Action, { do: 'file' }>, needed: Set<string>): string => {
  needed.add('fileinto')
  if (copy) needed.add('copy')
  if (create) needed.add('mailbox')
  return `fileinto ${copy ? ':copy ' : ''}${create ? ':create ' : ''}${quoted(folder)};`
}
