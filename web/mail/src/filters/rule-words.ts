import { formatCount, formatNumber } from '@stoa/ui/text/format.ts'
import type { Action, Condition, Rule, TextTest } from './rules.ts'

export const fieldNames = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  recipients: 'To or Cc',
  subject: 'Subject',
  list: 'Mailing list',
  body: 'Message text',
  header: 'Header text',
  exists: 'Header',
  attachment: 'Attachment',
  size: 'Size',
  spam: 'Spam score',
} as const satisfies Record<Condition['on'], string>

export const testNames: Record<TextTest, { yes: string; no: string }> = {
  contains: { yes: 'contains', no: 'does not contain' },
  is: { yes: 'is', no: 'is not' },
  begins: { yes: 'begins with', no: 'does not begin with' },
  ends: { yes: 'ends with', no: 'does not end with' },
  matches: { yes: 'matches', no: 'does not match' },
  regex: { yes: 'matches regex', no: 'does not match regex' },
}

export const actionNames = {
  file: 'Move to folder',
  copy: 'Copy to folder',
  seen: 'Mark as read',
  flag: 'Flag',
  label: 'Add label',
  redirect: 'Forward to',
  reply: 'Reply automatically',
  reject: 'Reject with a reason',
  discard: 'Discard',
  keep: 'Keep in inbox',
  stop: 'Stop',
} as const

/** What a rule does, as a sentence. */
export const describeRule = ({ match, conditions, actions }: Rule): string => {
  const when = conditions.map(describeCondition).join(match === 'all' ? ' and ' : ' or ')
  const what = actions.map(describeAction)
  const done = what.length === 0 ? 'no actions yet' : joined(what, 'and')
  return `${when === '' ? 'Every message' : `If ${when}`}: ${done}${done.endsWith('…') ? '' : '.'}`
}

const MAX_SHOWN = 60

const shown = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return '…'
  return `“${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line}”`
}

/** "a, b and c" */
const joined = (parts: readonly string[], word: 'and' | 'or'): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`

const MAX_VALUES = 3

const shownValues = (values: readonly string[]): string => {
  const more = values.length - MAX_VALUES
  const first = values.slice(0, MAX_VALUES).map(shown)
  return joined(more > 0 ? [...first, formatCount(more, 'other', 'others')] : first, 'or')
}

const describeCondition = (condition: Condition): string => {
  switch (condition.on) {
    case 'size':
      return `it is ${condition.over ? 'larger' : 'smaller'} than ${describeBytes(condition.bytes)}`
    case 'spam':
      return `its spam score is ${condition.over ? 'at least' : 'below'} ${condition.percent} %`
    case 'attachment':
      return condition.not ? 'it has no attachment' : 'it has an attachment'
    case 'exists':
      return `the header ${shown(condition.header)} is ${condition.not ? 'missing' : 'present'}`
    default: {
      const name = condition.on === 'header' ? `the header ${shown(condition.header)}` : placeWords[condition.on]
      const { yes, no } = testNames[condition.test]
      return `${name} ${condition.not ? no : yes} ${shownValues(condition.values)}`
    }
  }
}

const placeWords = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  recipients: 'To or Cc',
  subject: 'the subject',
  list: 'the mailing list',
  body: 'the text',
}

/** In the units of scripts, of 1024 each. */
const describeBytes = (bytes: number): string => {
  if (bytes >= 1024 ** 2) return `${formatNumber(bytes / 1024 ** 2)} MB`
  return bytes >= 1024 ? `${formatNumber(bytes / 1024)} kB` : formatCount(bytes, 'byte', 'bytes')
}

const describeAction = (action: Action): string => {
  switch (action.do) {
    case 'file':
      return `${action.copy ? 'copy' : 'move'} it to ${shown(action.folder)}`
    case 'seen':
      return 'mark it as read'
    case 'flag':
      return 'flag it'
    case 'label':
      return `label it ${shown(action.label)}`
    case 'redirect':
      return `forward it to ${shown(action.to)}${action.copy ? ' and keep a copy' : ''}`
    case 'reply':
      return `reply ${shown(action.text)}`
    case 'reject':
      return `reject it with ${shown(action.reason)}`
    case 'discard':
      return 'discard it'
    case 'keep':
      return 'keep it in the inbox'
    case 'stop':
      return 'stop'
  }
}
