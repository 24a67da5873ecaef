type Range = readonly [from: number, to: number]

const range = (from: string, to = from): Range => [from.charCodeAt(0), to.charCodeAt(0)]
const upper = range('A', 'Z')
const lower = range('a', 'z')
const digit = range('0', '9')

/** Letters beyond ASCII belong to words as well: mail is not only written in English. */
const beyond: Range = [0xc0, 0x10ffff]

const classes: Readonly<Record<string, readonly Range[]>> = {
  alpha: [upper, lower, beyond],
  upper: [upper],
  lower: [lower],
  digit: [digit],
  xdigit: [digit, range('A', 'F'), range('a', 'f')],
  alnum: [upper, lower, digit, beyond],
  word: [upper, lower, digit, range('_'), beyond],
  space: [[9, 13], range(' ')],
  blank: [[9, 9], range(' ')],
  punct: [range('!', '/'), range(':', '@'), range('[', '`'), range('{', '~')],
  print: [
    [32, 126],
    [0xa0, 0x10ffff],
  ],
  graph: [
    [33, 126],
    [0xa1, 0x10ffff],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
}

/** The characters of `[:name:]`, or null. */
export const namedClass = (name: string): readonly Range[] | null =>
  Object.hasOwn(classes, name) ? (classes[name] ?? null) : null
