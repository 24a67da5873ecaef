/** Where a text stops being JSON, and what to say about it. */
export type JsonProblem = { at: number; line: number; column: number; message: string }

type Reading = { value: unknown; problem?: undefined } | { problem: JsonProblem }

/** The document a text is, or what is wrong with it. Nothing at all is null: an empty field. */
export const readJson = (text: string): Reading => {
  if (text.trim() === '') return { value: null }
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Engines word and place their complaints differently, so that it is read once more
    const { at, message } = findProblem(text)
    return { problem: { at, message, ...placeOf(text, at) } }
  }
}

/** How a document is shown. */
export const writeJson = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2)

const placeOf = (text: string, at: number): { line: number; column: number } => {
  const before = text.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - start + 1 }
}

type Complaint = { at: number; message: string }
/** The tokens that may follow. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
/** What people write in place of a value, up to where it ends. */
const WORD = /[^\s,:[\]{}"]+/y

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** Reads from one thing to the next and keeps what is open in a list, so that no nesting is too deep. */
const findProblem = (text: string): Complaint => {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    at += matchAt(SPACE, text, at).length
    const isDone = open.length === 0 && expected === 'comma or end'
    if (at >= text.length) return { at, message: isDone ? "This isn't valid JSON." : endMessage(open.at(-1), expected) }
    if (isDone) return { at, message: 'Unexpected text after the end of the document.' }
    const sign = text.charAt(at)
    const step: Step = readSign(sign, expected, open) ?? readWord(text, at, expected)
    if ('message' in step) return { at: at + step.offset, message: step.message }
    at += step.length
    expected = step.expected
  }
}

type Step = { length: number; expected: Expected } | { offset: number; message: string }

const readSign = (sign: string, expected: Expected, open: ('{' | '[')[]): Step | null => {
  const mayStart = expected === 'value' || expected === 'value or end'
  if ((sign === '{' || sign === '[') && mayStart) {
    open.push(sign)
    return { length: 1, expected: sign === '{' ? 'key or end' : 'value or end' }
  }
  if (sign === '}' || sign === ']') return readClosing(sign, expected, open)
  if (sign === ':' && expected === 'colon') return { length: 1, expected: 'value' }
  if (sign === ',' && expected === 'comma or end') return { length: 1, expected: open.at(-1) === '{' ? 'key' : 'value' }
  return null
}

const readClosing = (sign: string, expected: Expected, open: ('{' | '[')[]): Step => {
  const isRight = open.at(-1) === (sign === '}' ? '{' : '[')
  if (isRight && (expected === 'value or end' || expected === 'key or end' || expected === 'comma or end')) {
    open.pop()
    return { length: 1, expected: 'comma or end' }
  }
  const isAfterComma = isRight && (expected === 'key' || (expected === 'value' && open.at(-1) === '['))
  if (isAfterComma) return { offset: 0, message: "There's an extra comma before this." }
  return { offset: 0, message: `${wordsFor[expected]}, not ${sign}.` }
}

const readWord = (text: string, at: number, expected: Expected): Step => {
  const isKey = expected === 'key' || expected === 'key or end'
  const isValue = expected === 'value' || expected === 'value or end'
  if (text.charAt(at) === '"' && (isKey || isValue)) {
    const string = matchAt(STRING, text, at)
    if (string !== '') return { length: string.length, expected: isKey ? 'colon' : 'comma or end' }
    return stringProblem(text, at)
  }
  const word = matchAt(WORD, text, at)
  if (isValue && word !== '' && matchAt(ATOM, text, at) === word)
    return { length: word.length, expected: 'comma or end' }
  if (word.startsWith("'")) return { offset: 0, message: 'Put text in double quotes.' }
  if (word.startsWith('//') || word.startsWith('/*')) return { offset: 0, message: "JSON doesn't support comments." }
  if (isKey && word !== '') return { offset: 0, message: 'Put property names in double quotes.' }
  return { offset: 0, message: `${wordsFor[expected]}, not ${shorten(word === '' ? text.charAt(at) : word)}.` }
}

const stringProblem = (text: string, at: number): Step => {
  for (let end = at + 1; end < text.length; end += 1) {
    const sign = text.charAt(end)
    if (sign === '\n' || sign === '\r')
      return { offset: 0, message: 'The text starting here has no closing quote on its line.' }
    if (sign < ' ') return { offset: end - at, message: 'Write tabs and control characters as \\t or \\u0000.' }
    if (sign !== '\\') continue
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(end + 1, end + 6)))
      return { offset: end - at, message: 'Write a backslash as \\\\.' }
    end += 1
  }
  return { offset: 0, message: 'The text starting here has no closing quote.' }
}

const wordsFor: Readonly<Record<Expected, string>> = {
  value: 'Expected a value',
  'value or end': 'Expected a value or ]',
  key: 'Expected a property name',
  'key or end': 'Expected a property name or }',
  colon: 'Expected a colon',
  'comma or end': 'Expected a comma or the end',
}

const endMessage = (open: '{' | '[' | undefined, expected: Expected): string => {
  if (open === undefined) return `${wordsFor[expected]}.`
  return open === '{' ? 'Missing } at the end.' : 'Missing ] at the end.'
}

const shorten = (word: string): string => (word.length > 20 ? `${word.slice(0, 20)}…` : word)
