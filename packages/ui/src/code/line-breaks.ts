/**
 * What CodeMirror has to split lines by so that the text comes back byte for byte: CRLF only when there is no other
 * line break, otherwise LF, where a lone carriage return stays a character of its line.
 */
export const lineBreakOf = (text: string): '\n' | '\r\n' => {
  if (!text.includes('\r\n')) return '\n'
  return /(?:^|[^\r])\n|\r(?!\n)/.test(text) ? '\n' : '\r\n'
}

/** The part that differs between two texts: replacing only it leaves the caret where it is. */
export const changedPart = (before: string, after: string): { from: number; to: number; insert: string } => {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let same = 0
  while (same < shorter - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}
