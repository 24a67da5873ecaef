import { Fault, fault } from '../errors.ts'

export type JsonLimits = { maxDepth: number; maxKeys: number; maxItems: number }

/** Deeper or wider documents are abuse, not content: they make the parser and the schemas block everyone else. */
export const JSON_LIMITS: JsonLimits = { maxDepth: 64, maxKeys: 10_000, maxItems: 50_000 }

/**
 * JSON as RFC 8259 §4 wishes senders wrote it: names unique, no prototype names, text that can be stored, bounded depth,
 * number of names and number of items. An empty text is an empty object.
 */
export const parseJson = (text: string, limits: JsonLimits = JSON_LIMITS): unknown => {
  if (/^[ \t\r\n]*$/.test(text)) return {}
  try {
    // Before JSON.parse, which spends seconds and memory on a text of brackets only.
    refuseUnsafe(text, limits)
    return JSON.parse(text)
  } catch (error) {
    throw error instanceof Fault ? error : unsafe("The body isn't valid JSON")
  }
}

/** An object's names (null for an array), the latest of them, and the name that it is the value of itself. */
type Frame = { names: Set<string> | null; latest: string; owner: string }

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Distinguishes only nesting and strings: what is not JSON at all is left for JSON.parse to refuse. */
const refuseUnsafe = (text: string, limits: JsonLimits): void => {
  const stack: Frame[] = []
  let keys = 0
  let items = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x7b: // {
      case 0x5b: // [
        if (stack.length >= limits.maxDepth) throw unsafe('The body is nested too deeply')
        stack.push({ names: text[at] === '{' ? new Set() : null, latest: '', owner: stack.at(-1)?.latest ?? '' })
        break
      case 0x7d: // }
      case 0x5d: // ]
        stack.pop()
        break
      case 0x2c: // ,
        items += 1
        if (items > limits.maxItems) throw unsafe('The body has too many items')
        break
      case QUOTE: {
        const end = endOfString(text, at)
        const token = text.slice(at, end + 1)
        if (token.includes('\\u')) refuseUnstorable(token)
        at = end
        const frame = stack.at(-1)
        if (frame?.names && isName(text, end)) {
          keys += 1
          if (keys > limits.maxKeys) throw unsafe('The body has too many fields')
          addName(frame, frame.names, token)
        }
        break
      }
    }
  }
}

const unsafe = (reason: string): Fault => fault('invalid_json', { reason })

const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end === -1) throw unsafe("The body isn't valid JSON")
  return end
}

const isEscaped = (text: string, at: number): boolean => {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}

/** A string inside an object is a name exactly when a colon follows it. */
const isName = (text: string, end: number): boolean => {
  let at = end + 1
  while (isSpace(text.charCodeAt(at))) at += 1
  return text[at] === ':'
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

const addName = (frame: Frame, names: Set<string>, token: string): void => {
  const name: string = token.includes('\\') ? JSON.parse(token) : token.slice(1, -1)
  if (names.has(name)) throw unsafe(`The field "${shorten(name)}" is sent twice`)
  // `constructor` alone is an honest word; with `prototype` inside it is an attack on code that merges the value.
  if (name === '__proto__' || (name === 'prototype' && frame.owner === 'constructor'))
    throw unsafe(`A field can't be named "${name}" here`)
  frame.latest = name
  names.add(name)
}

/** PostgreSQL text holds neither U+0000 nor a lone surrogate; both can only arrive as an escape. */
const refuseUnstorable = (token: string): void => {
  const value: string = JSON.parse(token)
  if (value.includes('\u0000') || !value.isWellFormed())
    throw unsafe("The body contains a character that can't be stored")
}

const shorten = (name: string): string => (name.length > 60 ? `${name.slice(0, 60)}…` : name)
