/** A word of a script. Comments are kept: they are the names of rules. */
export type Token =
  | { kind: 'word' | 'tag' | 'text' | 'comment'; text: string }
  | { kind: 'number'; value: number }
  | { kind: 'mark'; text: string }

/** The words of a script as the service reads them (RFC 5228 §8.1), or null where it is not right. */
export const readTokens = (source: string): Token[] | null => {
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    const found = readAt(source, at)
    if (!found) return null
    if (found.token) tokens.push(found.token)
    at = found.end
  }
  return tokens
}

type Found = { token: Token | null; end: number }

const BLANK = /[ \t\r\n\ufeff]+/y
const COMMENT = /#([^\n]*)|\/\*([\s\S]*?)\*\//y
const MULTILINE = /text:[ \t]*(?:#[^\n]*|\r)?\n((?:(?!\.\r?\n)[^\n]*\n)*)\.(?:\r?\n|$)/iy
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/y
const TAG = /:([A-Za-z_]\w*)/y
const NUMBER = /(\d{1,12})([KMG]?)(?!\w)/iy
const WORD = /[A-Za-z_]\w*/y
const MARK = /[()[\]{},;]/y

const readAt = (source: string, at: number): Found | null => {
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  const found = (match: RegExpExecArray, token: Token | null): Found => ({ token, end: at + match[0].length })
  let match = take(BLANK)
  if (match) return found(match, null)
  match = take(COMMENT)
  if (match) return found(match, { kind: 'comment', text: (match[1] ?? match[2] ?? '').trim() })
  match = take(MULTILINE)
  if (match) return found(match, { kind: 'text', text: breaks((match[1] ?? '').replace(/^\.\./gm, '.')) })
  match = take(QUOTED)
  if (match) return found(match, { kind: 'text', text: breaks((match[1] ?? '').replace(/\\([\s\S])/g, '$1')) })
  match = take(TAG)
  if (match) return found(match, { kind: 'tag', text: (match[1] ?? '').toLowerCase() })
  match = take(NUMBER)
  if (match) return found(match, { kind: 'number', value: Number(match[1]) * unitOf(match[2] ?? '') })
  match = take(WORD)
  if (match) return found(match, { kind: 'word', text: match[0].toLowerCase() })
  match = take(MARK)
  return match ? found(match, { kind: 'mark', text: match[0] }) : null
}

const breaks = (text: string): string => text.replace(/\r\n/g, '\n')

const unitOf = (unit: string): number => 1024 ** ' KMG'.indexOf(unit === '' ? ' ' : unit.toUpperCase())
