import { addressFields, type Condition, comparePatterns, isAddressField, type TextTest } from './rules.ts'
import { type Argument, type Test, TreeProblem } from './sieve-tree.ts'

/** A test as a condition. Throws TreeProblem for what no condition can say. */
export const readCondition = (test: Test): Condition => {
  const [inner] = test.tests
  if (test.name !== 'not') return readPlain(test, false)
  if (!inner || test.tests.length !== 1 || test.arguments.length > 0) return unknown(test)
  return readPlain(inner, true)
}

const readPlain = (test: Test, not: boolean): Condition => {
  if (test.tests.length > 0) throw new TreeProblem('it has nested conditions')
  const call = readCall(test)
  if (test.name === 'size' && !not) return readSize(test)
  if (test.name === 'exists') return readExists(test, call, not)
  if (test.name === 'spamtest' && !not) return readSpam(test, call)
  if (test.name === 'body') return readBody(test, call, not)
  if (test.name === 'header') return isAttachment(call) ? { on: 'attachment', not } : readHeader(test, call, not)
  if (test.name === 'address') return readAddress(test, call, not)
  return unknown(test)
}

const unknown = ({ name }: Test): never => {
  throw new TreeProblem(`it uses “${name}” in a way rules don't support`)
}

/** The tags of a test with what follows them, and its texts. */
type Call = { tags: ReadonlyMap<string, string>; texts: readonly (readonly string[])[] }

/** Tags that take the text after them. */
const WITH_VALUE = new Set(['comparator', 'value', 'count', 'param', 'content', 'index'])

const readCall = ({ name, arguments: given }: Test): Call => {
  const tags = new Map<string, string>()
  const texts: (readonly string[])[] = []
  for (let index = 0; index < given.length; index += 1) {
    const argument = given[index]
    if (argument?.kind === 'texts') texts.push(argument.texts)
    if (argument?.kind !== 'tag') continue
    const takes = WITH_VALUE.has(argument.name) && name !== 'size'
    if (takes) index += 1
    tags.set(argument.name, takes ? oneText(given[index]) : '')
  }
  return { tags, texts }
}

const oneText = (argument: Argument | undefined): string =>
  argument?.kind === 'texts' && argument.texts.length === 1 ? (argument.texts[0] ?? '') : ''

const MATCH_TYPES = ['is', 'contains', 'matches', 'regex'] as const

/** What a test compares with, if it does so as rules do: some of these tags, and no other. */
const readComparison = (test: Test, { tags, texts }: Call, allowed: readonly string[]) => {
  const types = MATCH_TYPES.filter((type) => tags.has(type))
  const others = [...tags.keys()].filter((tag) => !MATCH_TYPES.some((type) => type === tag) && !allowed.includes(tag))
  const comparator = tags.get('comparator') ?? 'i;ascii-casemap'
  const isOdd = others.some((tag) => tag !== 'comparator') || comparator !== 'i;ascii-casemap' || types.length > 1
  if (isOdd) return unknown(test)
  const [type = 'is'] = types
  const keys = texts.at(-1) ?? []
  const comparison: { test: TextTest; values: readonly string[] } =
    type === 'matches' ? comparePatterns(keys) : { test: type, values: keys }
  return { type, ...comparison }
}

const readHeader = (test: Test, call: Call, not: boolean): Condition => {
  const [names = []] = call.texts
  const { test: kind, values } = readComparison(test, call, [])
  if (call.texts.length !== 2) return unknown(test)
  const [header = ''] = names
  if (names.length === 1) return { on: 'header', header, test: kind, values, not }
  const field = fieldOf(names)
  return field === 'recipients' && kind === 'contains' ? { on: field, test: kind, values, not } : unknown(test)
}

const readAddress = (test: Test, call: Call, not: boolean): Condition => {
  const field = fieldOf(call.texts[0] ?? [])
  const { test: kind, values } = readComparison(test, call, ['all', 'domain'])
  if (!field || kind === 'contains' || call.texts.length !== 2) return unknown(test)
  if (!call.tags.has('domain')) return { on: field, test: kind, values, not }
  // The domain is what stands after the @
  return kind === 'is' ? { on: field, test: 'ends', values: values.map((value) => `@${value}`), not } : unknown(test)
}

const fieldOf = (names: readonly string[]) => {
  const wanted = names.map((name) => name.toLowerCase()).toSorted()
  const found = Object.entries(addressFields).find(
    ([, fields]) => fields.toSorted().join(' ') === wanted.join(' '),
  )?.[0]
  return found !== undefined && isAddressField(found) ? found : null
}

const readBody = (test: Test, call: Call, not: boolean): Condition => {
  const { test: kind, values } = readComparison(test, call, ['text'])
  return call.texts.length === 1 ? { on: 'body', test: kind, values, not } : unknown(test)
}

const readExists = (test: Test, { tags, texts }: Call, not: boolean): Condition => {
  const [names = []] = texts
  const [header] = names
  return tags.size === 0 && texts.length === 1 && names.length === 1 && header !== undefined
    ? { on: 'exists', header, not }
    : unknown(test)
}

const isAttachment = ({ tags, texts }: Call): boolean => {
  const [names = [], keys = []] = texts
  const wanted = ['anychild', 'is', 'mime', 'type']
  return (
    [...tags.keys()].toSorted().join(' ') === wanted.join(' ') &&
    names.join(' ').toLowerCase() === 'content-disposition' &&
    keys.join(' ').toLowerCase() === 'attachment'
  )
}

const readSize = (test: Test): Condition => {
  const [bound, amount] = test.arguments
  if (bound?.kind !== 'tag' || amount?.kind !== 'number' || test.arguments.length !== 2) return unknown(test)
  if (bound.name !== 'over' && bound.name !== 'under') return unknown(test)
  return { on: 'size', over: bound.name === 'over', bytes: amount.value }
}

const readSpam = (test: Test, { tags, texts }: Call): Condition => {
  const relation = tags.get('value')
  const [key = ''] = texts[0] ?? []
  const isOurs =
    [...tags.keys()].toSorted().join(' ') === 'comparator percent value' &&
    tags.get('comparator') === 'i;ascii-numeric' &&
    texts.flat().length === 1 &&
    /^(?:\d{1,2}|100)$/.test(key)
  if (!isOurs || (relation !== 'ge' && relation !== 'lt')) return unknown(test)
  return { on: 'spam', over: relation === 'ge', percent: Number(key) }
}
