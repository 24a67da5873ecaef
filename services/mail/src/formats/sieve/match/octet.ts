import type { Comparator } from '../define.ts'

/** RFC 4790 §9.3. Characters stand for their UTF-8 octets, whose order is that of the code points. */
export const octet: Comparator = {
  name: 'i;octet',
  hasSubstrings: true,
  fold: (text) => text,
  order: (left, right) => orderByCodePoint(left, right),
}

export const orderByCodePoint = (left: string, right: string): number => {
  if (left === right) return 0
  let at = 0
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  return (left.codePointAt(at) ?? -1) - (right.codePointAt(at) ?? -1)
}
