import type { $ZodRawIssue } from 'zod/v4/core'

/** Names a value may be asked for by; more are cut, so that the message stays one line. */
const MAX_CHOICES = 30
const MAX_SHOWN_LENGTH = 60

/**
 * What a person reads where a schema says nothing itself: plain words that follow the name of the value ("must be …"). Text
 * that was given is never repeated: it may be a secret. For `safeParse(value, { error: issueText })`.
 */
export const issueText = (issue: $ZodRawIssue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kindOf(issue.expected)}, not ${given(issue.input)}`
    case 'too_small':
      return boundText(issue, { at: issue.minimum, isLower: true })
    case 'too_big':
      return boundText(issue, { at: issue.maximum, isLower: false })
    case 'invalid_format':
      return formatText(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}, not ${given(issue.input)}`
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be ${choices(issue.values)}`
    case 'unrecognized_keys':
      return `must not have ${issue.keys.slice(0, MAX_CHOICES).map(quoted).join(', ')}`
    case 'invalid_union':
      return unionText(issue)
    case 'invalid_key':
      return `has an invalid name: it ${firstOf(issue.issues)}`
    case 'invalid_element':
      return `has an invalid item: it ${firstOf(issue.issues)}`
    default:
      return "isn't allowed here"
  }
}

type Issue<C extends $ZodRawIssue['code']> = Extract<$ZodRawIssue, { code: C }>

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  date: 'a time',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
  undefined: 'left out',
  file: 'a file',
}

const kindOf = (expected: string): string => kinds[expected] ?? 'another kind of value'

const given = (value: unknown): string => {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return value === undefined ? 'left out' : 'an object'
}

const quoted = (text: string): string =>
  `"${(text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text).replace(/[\p{Cc}"]/gu, ' ')}"`

const choices = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MAX_CHOICES).map((value) => (value === null ? 'null' : String(value)))
  if (values.length > MAX_CHOICES) shown.push('…')
  return shown.length === 1 ? (shown[0] ?? '') : `one of ${shown.join(', ')}`
}

type Bound = { at: number | bigint; isLower: boolean }

/** How many of what there must be; numbers and times are compared themselves. */
const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['member', 'members'],
  object: ['member', 'members'],
  file: ['byte', 'bytes'],
}

const boundText = (issue: Issue<'too_small' | 'too_big'>, { at, isLower }: Bound): string => {
  const unit = units[issue.origin]
  if (unit) {
    if (isLower && Number(at) === 1 && issue.exact !== true) return 'must not be empty'
    const count = `${at} ${unit[Number(at) === 1 ? 0 : 1]}`
    return `must have ${issue.exact === true ? 'exactly' : isLower ? 'at least' : 'at most'} ${count}`
  }
  if (issue.origin === 'date')
    return `must be ${isLower ? 'later' : 'earlier'}: the limit is ${new Date(Number(at)).toISOString()}`
  const isInside = issue.inclusive !== false
  const limit = isInside ? `${at} or ${isLower ? 'more' : 'less'}` : `${isLower ? 'more' : 'less'} than ${at}`
  return `must be ${limit}, not ${given(issue.input)}`
}

const formats: Readonly<Record<string, string>> = {
  email: 'an email address like name@example.com',
  url: 'a full URL like https://example.com',
  uuid: 'an ID like 01890a5d-ac96-774b-bcce-b302099a8057',
  guid: 'an ID like 01890a5d-ac96-774b-bcce-b302099a8057',
  datetime: 'a time like 2026-01-31T12:00:00Z',
  date: 'a date like 2026-01-31',
  time: 'a time of day like 12:00:00',
  duration: 'a duration like P1DT2H',
  ipv4: 'an IPv4 address like 192.0.2.1',
  ipv6: 'an IPv6 address like 2001:db8::1',
  cidrv4: 'a range of IPv4 addresses like 192.0.2.0/24',
  cidrv6: 'a range of IPv6 addresses like 2001:db8::/32',
  mac: 'a MAC address like 00:00:5e:00:53:01',
  base64: 'Base64',
  base64url: 'Base64 for URLs',
  json_string: 'JSON',
  e164: 'a phone number like +15551234567',
  hostname: 'a host name like example.com',
  emoji: 'an emoji',
  lowercase: 'lowercase',
  uppercase: 'uppercase',
}

const formatText = (issue: Issue<'invalid_format'>): string => {
  if ('prefix' in issue && issue.prefix) return `must start with ${quoted(String(issue.prefix))}`
  if ('suffix' in issue && issue.suffix) return `must end with ${quoted(String(issue.suffix))}`
  if ('includes' in issue && issue.includes) return `must contain ${quoted(String(issue.includes))}`
  const format = formats[issue.format]
  return format === undefined ? "doesn't have the expected format" : `must be ${format}`
}

/** The requirement that all options of a union share, if it is about the type of the value. */
const unionText = (issue: Issue<'invalid_union'>): string => {
  if (issue.input === undefined) return 'is required'
  const found = issue.errors.map((errors) => errors[0])
  const expected = found.map((first) => (first?.code === 'invalid_type' ? kindOf(first.expected) : null))
  const isAboutKind =
    expected.length > 0 && found.every((first, at) => first?.path.length === 0 && expected[at] !== null)
  if (isAboutKind) return `must be ${[...new Set(expected)].join(' or ')}, not ${given(issue.input)}`
  const texts = found.filter((first) => first?.path.length === 0).map((first) => first?.message)
  const [only, ...others] = new Set(texts)
  return only !== undefined && others.length === 0 ? only : "doesn't have one of the allowed formats"
}

const firstOf = (issues: readonly { message: string }[]): string => issues[0]?.message ?? "isn't allowed here"
