import { isAscii } from 'node:buffer'
import { domainToASCII, domainToUnicode } from 'node:url'

/** Letters of other scripts that are drawn like a Latin one, and the digits and pairs that pass for a letter. */
const LOOKALIKES = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'ьƅ',
    c: 'сϲᴄ',
    d: 'ԁɗđ',
    e: 'еєҽ3',
    f: 'ƒϝ',
    g: 'ɡց9',
    h: 'һհ',
    j: 'јϳ',
    k: 'кκ',
    l: 'іιıӏ1iɩ|ⅼł',
    m: 'мⅿ',
    n: 'пոη',
    o: 'оοօ0ø',
    p: 'рρ',
    q: 'ԛ',
    r: 'гᴦ',
    s: 'ѕꜱ5',
    t: 'тτ',
    u: 'սυʋ',
    v: 'νѵ',
    w: 'ԝɯω',
    x: 'хχ',
    y: 'уүγ',
    z: 'ᴢ2',
  }).flatMap(([letter, others]) => [...others].map((other): [string, string] => [other, letter])),
)
const PAIRS: Readonly<Record<string, string>> = { rn: 'm', vv: 'w', cl: 'd', '-': '' }

/** What is left of a text when everything that looks alike is the same: two that have the same are easily confused. */
export const skeletonOf = (text: string): string => {
  const lower = text.toLowerCase()
  // Contacts are compared by the thousand, and most are plain letters
  const plain = isAscii(Buffer.from(lower)) ? lower : lower.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain
    .replace(/[0-9i|\u0080-\u{10ffff}]/gu, (letter) => LOOKALIKES.get(letter) ?? letter)
    .replace(/rn|vv|cl|-/g, (pair) => PAIRS[pair] ?? pair)
}

/** A domain in lower case, as DNS has it; what is none stays as it is. */
export const asciiDomain = (domain: string): string => domainToASCII(domain) || domain.toLowerCase()

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
]

/**
 * Whether a domain is written so that it passes for another one: letters of several alphabets in one label, or a label
 * of another alphabet in which every letter has a Latin double.
 */
export const isDeceptive = (ascii: string): boolean =>
  ascii.includes('xn--') &&
  domainToUnicode(ascii)
    .split('.')
    .some((label) => {
      const scripts = SCRIPTS.filter((script) => script.test(label)).length
      const isForeign = !/\p{Script=Latin}/u.test(label) && /[^\p{ASCII}]/u.test(label)
      return scripts > 1 || (isForeign && /^[a-z0-9]+$/.test(skeletonOf(label)))
    })

/** Whether one letter was added, left out, exchanged or swapped with the next. */
export const isOneSlipAway = (one: string, other: string): boolean => {
  if (one === other || Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [left, right] = [one.slice(start), other.slice(start)]
  if (left.length !== right.length)
    return left.length > right.length ? left.slice(1) === right : left === right.slice(1)
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2)
  return left.slice(1) === right.slice(1) || isSwapped
}
