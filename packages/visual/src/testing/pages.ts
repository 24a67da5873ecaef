/** Numbers from 0 to below 1, the same for a seed each time (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type Chance = {
  /** True once in `times`. */
  once(times: number): boolean
  pick<T>(list: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
  some<T>(list: readonly T[]): T[]
}

export const chanceFrom = (seed: number): Chance => {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const shuffle = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  return {
    once: (times) => random() * times < 1,
    pick,
    shuffle,
    some: (list) => shuffle(list).slice(0, Math.floor(random() * (list.length + 1))),
  }
}

export const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

/** The most common elements, and those that the parser treats specially. */
const PLAIN = 'div section section main p ul li li b i a span table tr td h1'.split(' ')
const ALL = (
  'div section section main article p p ul li li dl dt dd table tbody tr td th b i a em span form button h1 h2 select ' +
  'option svg g foreignObject math mi template noscript textarea title caption colgroup ruby rt nobr body html'
).split(' ')
const VOIDS = ['br', 'hr', 'img', 'input', 'image', 'circle', 'path', 'col', 'wbr']
const GAPS = ['', ' ', '\n', '\r\n', '\r', '\n\r', '\t', '\f']
const TEXTS = ['x', 'caffè', '😀', '&amp;', '&nosuch', '<', '< p', '</', '\0', 'a\r\nb', '\r', '<!-- <p class=a> -->']
const ODD = ['<!doctype html>', '</p>', '</br>', '</b>', '</table>', '</body>', '</html>', '<![CDATA[x]]>', '<?x?>']

/** A page of nested elements as bad as people write them. Each section is there once at most. */
export const malformedPage = (chance: Chance): string => {
  const ids = chance.shuffle(IDS)
  const tags = chance.once(3) ? ALL : PLAIN
  const gap = (): string => chance.pick(GAPS)
  const attributes = (): string => {
    const name = (chance.once(3) ? undefined : ids.pop()) ?? chance.pick(['x', 'y'])
    const quoted = chance.pick([`class=${name}`, `class="z ${name}"`, `CLASS = '${name}'`, `class=${name} class=q`])
    const more = chance.once(4) ? chance.pick(['title="a>b"', "data-x='1'data-y", 'hidden', '=', 'x=1/', '"']) : ''
    return `${gap() || ' '}${quoted}${more && ` ${more}`}${gap()}`
  }
  const element = (depth: number): string => {
    if (chance.once(6)) return `<${chance.pick(VOIDS)}${attributes()}${chance.pick(['', ' /'])}>`
    const tag = chance.pick(tags)
    const name = chance.once(5) ? tag.toUpperCase() : tag
    const end = chance.once(8) ? chance.pick(['', '', '</div>', `</${chance.pick(tags)}>`]) : `</${name}${gap()}>`
    return `<${name}${attributes()}>${content(depth - 1, 0)}${end}`
  }
  const content = (depth: number, least: number): string => {
    const parts: string[] = []
    for (let count = chance.pick([0, 1, 2, 3]) + least; depth > 0 && count > 0; count -= 1)
      parts.push(chance.once(20) ? chance.pick(ODD) : chance.once(4) ? chance.pick(TEXTS) : element(depth), gap())
    return parts.join('')
  }
  const start = chance.pick(['', '<!doctype html>', '<main>', '\ufeff', '<p>text', '<table>', '<ul>', '<b><p>'])
  return `${start}${content(chance.pick([1, 2, 3]), 3)}`
}

/** A section of a page that is written as it should be, or what stands between sections. */
export type Piece = string | { id: string; before: string; pieces: Piece[]; after: string }

/** Properly nested sections in random parents. */
export const properPage = (chance: Chance): Piece[] => {
  const ids = chance.shuffle(IDS)
  const pieces = (depth: number): Piece[] => {
    const list: Piece[] = [chance.pick(BETWEEN)]
    for (let count = chance.pick([1, 2, 3, 4]); count > 0; count -= 1) {
      const id = ids.pop()
      if (id !== undefined) {
        const tag = chance.pick(['section', 'div', 'Article', 'x-part'])
        const inside = depth > 0 && chance.once(2) ? pieces(depth - 1) : [`<p>${id}</p>`]
        list.push({ id, before: `<${tag} class="${id}">`, pieces: inside, after: `</${tag}>` })
      }
      list.push(chance.pick(BETWEEN))
    }
    return list
  }
  return ['<!doctype html><body>', ...pieces(2), '</body>']
}

const BETWEEN = ['', ' ', '\r\n', '<!-- - -->', '<hr>', '<p>between</p>\n', '<img src="a.png">', 'text &amp; more ']

/** How the page is written with its sections in another order, and without those that are hidden. */
export const write = (
  pieces: readonly Piece[],
  order: (ids: string[]) => string[],
  hidden: readonly string[],
): string => {
  const sections = pieces.filter((piece) => typeof piece !== 'string')
  const ids = order(sections.map(({ id }) => id))
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const id = ids.shift()
      const shown = sections.find((section) => section.id === id)
      if (!shown || hidden.includes(shown.id)) return ''
      return `${shown.before}${write(shown.pieces, order, hidden)}${shown.after}`
    })
    .join('')
}
